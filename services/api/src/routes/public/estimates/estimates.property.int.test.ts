import { audit, type FinishRequest } from '@mediagate/billing';
import type { CatalogueEntry } from '@mediagate/catalog';
import { type JsonObject, nanoToNumber, type TaskId } from '@mediagate/contracts';
import { forAllTests } from '@mediagate/testkit';
import fc from 'fast-check';
import { acceptUpstream, finishImgtool, GRID, SINGLE } from '../../../../test/imgtool-tasks';
import { randomBody } from '../../../../test/random-body';
import { catalogue } from '../../../../test/shared/known-api';
import { startTestApi } from '../../../../test/test-api';
import { withoutRequestId } from '../../../../test/without-request-id';

jest.setTimeout(600_000);

/** `npm run property` asks for more. */
const BODIES = Number(process.env['ESTIMATE_BODIES'] ?? 500);
const AT_ONCE = 8;

const PATHS: Readonly<Record<string, string>> = {
  'images.generations': '/v1/images/generations',
  'videos.generations': '/v1/videos/generations',
};
/** Synchronous models are compared one by one, elsewhere: their answers are not acknowledgements. */
const ENTRIES = catalogue.entries.filter((entry) => !entry.synchronous && pathOf(entry) !== '');

/** Empty: no route but those of the older interface makes such tasks. */
function pathOf({ route, operation }: CatalogueEntry): string {
  return route?.paths[0] ?? PATHS[operation] ?? '';
}

/** Finished tasks that others can follow on, by family. */
let sources: Readonly<Record<string, readonly TaskId[]>>;

const api = forAllTests(startTestApi);
const caller = forAllTests(() => api.createCaller({ balance: '1000000' }));
beforeAll(async () => {
  sources = { imgtool: [await makeImage(GRID), await makeImage(SINGLE)], music: [await makeTrack()] };
});

async function submit(path: string, body: JsonObject): Promise<TaskId> {
  const { key } = caller;
  return (await api.post(path, body, { key })).body.data[0].task_id;
}

async function makeImage(result: JsonObject): Promise<TaskId> {
  const taskId = await submit('/v1/imgtool/generations', { prompt: 'a lighthouse' });
  await finishImgtool(api, taskId, result);
  return taskId;
}

async function makeTrack(): Promise<TaskId> {
  const taskId = await submit('/v1/music/generations', { gpt_description: 'a waltz' });
  await acceptUpstream(api, taskId, { channelId: 'music-ttapi', protocol: 'ttapi-suno' });
  const track = { audio_id: 'clip-1', title: 'Harbour', duration: 120.5, audio_url: 'https://media.example/1.mp3' };
  const outcome: FinishRequest['outcome'] = { kind: 'completed', costNano: 1n, result: { music: [track] } };
  await api.end(taskId, outcome);
  return taskId;
}

/** The body, following on a finished task if it follows on any: on one after the other of those of its family. */
function onFinished({ family }: CatalogueEntry, body: JsonObject, index: number): JsonObject {
  const finished = sources[family] ?? [];
  return 'task_id' in body && finished.length > 0
    ? { ...body, task_id: finished[index % finished.length] as TaskId }
    : body;
}

/** How the price was compared: the submission was accepted, or refused in the same words. */
async function compare(entry: CatalogueEntry, body: JsonObject): Promise<'accepted' | 'refused'> {
  const { key } = caller;
  const path = pathOf(entry);
  const estimate = await api.post('/v1/estimate', { path, body }, { key });
  const submission = await api.post(path, body, { key });
  if (submission.status !== 200) {
    expect({ path, sent: body, ...withoutRequestId(estimate) }).toEqual({
      path,
      sent: body,
      ...withoutRequestId(submission),
    });
    return 'refused';
  }
  const taskId = submission.body.data[0].task_id;
  const { amountNano } = await api.database.reservation.findUniqueOrThrow({ where: { taskId } });
  expect([path, body, estimate.status, estimate.body]).toMatchObject([path, body, 200, {}]);
  const { reserved, expected, unit_prices, warnings } = estimate.body.data;
  expect({ path, sent: body, reserved }).toEqual({ path, sent: body, reserved: nanoToNumber(amountNano) });
  expect(expected).toBeLessThanOrEqual(reserved);
  expect(warnings).toEqual(submission.body.data[0].warnings ?? []);
  const sum = unit_prices.reduce(
    (total: number, { price, quantity }: Record<string, number>) => total + (price ?? 0) * (quantity ?? 0),
    0,
  );
  expect(Math.abs(sum - reserved)).toBeLessThan(1e-7);
  return 'accepted';
}

it(`what is reserved of ${BODIES} bodies over all models is what was estimated, and refusals are the same to the letter`, async () => {
  const bodies = fc.sample(
    fc.constantFrom(...ENTRIES).chain((entry) => randomBody(entry).map((body) => ({ entry, body }))),
    { numRuns: BODIES, seed: Number(process.env['ESTIMATE_SEED'] ?? 7) },
  );
  const counts = { accepted: 0, refused: 0, followUps: 0 };
  const compareNext = async (): Promise<void> => {
    for (let next = bodies.pop(); next; next = bodies.pop()) {
      const body = onFinished(next.entry, next.body, bodies.length);
      const outcome = await compare(next.entry, body);
      counts[outcome] += 1;
      if ('task_id' in body && outcome === 'accepted') counts.followUps += 1;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, compareNext));
  expect(counts.accepted).toBeGreaterThan(BODIES / 4);
  expect(counts.followUps).toBeGreaterThan(BODIES / 20);
  process.stdout.write(`${JSON.stringify(counts)}\n`);
  expect(await audit(api.database)).toEqual([]);
});
