import { createClient } from '../src/index.ts';
import { eventOf, events, json, lost, type Step, scriptedFetch, task } from './scripted-fetch.ts';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

/** Waits for a task by this script, skips all pauses, and returns the outcome. */
async function waitBy(...steps: Step[]) {
  const { fetch, requests } = scriptedFetch(...steps);
  const client = createClient({ baseUrl: 'https://gateway.example', apiKey: 'mg_key', fetch });
  const seen: string[] = [];
  const onUpdate = ({ status, progress }: { status: string; progress: number }) => seen.push(`${status} ${progress}`);
  const work = client.waitFor('task_1', { language: 'de', onUpdate }).catch((error: Error) => error);
  await jest.advanceTimersByTimeAsync(600_000);
  return { outcome: await work, seen, requests };
}

const paths = (requests: Request[]) => requests.map(({ url }) => url.replace('https://gateway.example', ''));

it('a task is followed by its events, however they are cut into pieces', async () => {
  const text = `${eventOf(2000, task('pending'))}:\n\n${eventOf(4100, { ...task('completed', 100), text: 'a\u2028b' })}`;
  const { outcome, seen, requests } = await waitBy(events([...text], 'stays'));
  expect(outcome).toMatchObject({ status: 'completed', text: 'a\u2028b' });
  expect(seen).toEqual(['pending 0', 'completed 100']);
  expect(paths(requests)).toEqual(['/v1/tasks/task_1/events?language=de']);
});

it.each(['ends', 'breaks', 'stays'] as const)(
  'a stream that %s in the middle is taken up where it was',
  async (end) => {
    const { outcome, seen, requests } = await waitBy(
      events([eventOf(3040, task('processing', 40))], end),
      events([':\n\n'], end),
      events([eventOf(5100, task('failed', 100))], 'ends'),
    );
    expect(outcome).toMatchObject({ status: 'failed' });
    expect(seen).toEqual(['processing 40', 'failed 100']);
    expect(requests.map(({ headers }) => headers.get('last-event-id'))).toEqual([null, '3040', '3040']);
  },
);

it.each<[string, () => Step]>([
  ['no connection', lost],
  ['too many streams', () => json(429, {})],
  ['nothing passed on', () => events([], 'stays')],
  ['an empty answer', () => events([], 'ends')],
])('with %s the task is asked for instead', async (_what, failing) => {
  const { outcome, seen, requests } = await waitBy(
    failing(),
    failing(),
    json(200, { data: task('processing', 40) }),
    json(200, { data: task('completed', 100) }),
  );
  expect(outcome).toMatchObject({ status: 'completed' });
  expect(seen).toEqual(['processing 40', 'completed 100']);
  expect(paths(requests).slice(2)).toEqual(Array(2).fill('/v1/tasks/task_1?language=de'));
});

it('polls outlast a gateway that is away for a minute, and not one that is gone', async () => {
  const away = Array.from({ length: 40 }, lost);
  const back = await waitBy(...away.slice(0, 16), json(200, { data: task('completed', 100) }));
  expect(back.outcome).toMatchObject({ status: 'completed' });
  const gone = await waitBy(...Array.from({ length: 400 }, lost));
  expect(gone.outcome).toMatchObject({ name: 'ConnectionError' });
  expect(gone.requests.length).toBeLessThan(200);
});

it('a task that there is not is an error at once', async () => {
  const { outcome, requests } = await waitBy(json(404, { error: { reason: 'not_found', message: 'Task not found.' } }));
  expect(outcome).toMatchObject({ status: 404, reason: 'not_found', message: 'Task not found.' });
  expect(requests).toHaveLength(1);
});

it('a poll asks for what has changed, and shows the record that it has where nothing did', async () => {
  const tag = '"of-forty"';
  const { outcome, seen, requests } = await waitBy(
    lost(),
    lost(),
    json(200, { data: task('processing', 40) }, { etag: tag }),
    new Response(null, { status: 304, headers: { etag: tag } }),
    json(200, { data: task('completed', 100) }),
  );
  expect(outcome).toMatchObject({ status: 'completed' });
  expect(seen).toEqual(['processing 40', 'processing 40', 'completed 100']);
  expect(requests.slice(2).map(({ headers }) => headers.get('if-none-match'))).toEqual([null, tag, tag]);
});
