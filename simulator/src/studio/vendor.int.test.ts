import { forAllTests } from '@mediagate/testkit';
import { keyOf, post, startUnderTest } from '../../test/simulator-under-test';

const VIDEO_MS = 60_000;
const simulator = forAllTests(() => startUnderTest({ videoMs: VIDEO_MS }));
afterEach(() => simulator.reset());

const CLIP = { model: 'clips-2', prompt: 'a heron', seconds: 5 };
const submit = (fields: object, key = keyOf('studio')) =>
  post(`${simulator.url}/studio/v1/jobs`, { key, body: { ...CLIP, ...fields } });
interface Answer {
  id: string;
  state: string;
  output: { video_url: string };
}

const submitted = async (fields: object) => (await (await submit(fields)).json()) as Answer;
const ask = async (id: string, method = 'GET') => {
  const headers = { authorization: `Bearer ${keyOf('studio')}` };
  const response = await fetch(`${simulator.url}/studio/v1/jobs/${id}`, { method, headers });
  return { status: response.status, body: (await response.json()) as Answer };
};

it.each<[string, object, number, string]>([
  ['no prompt', { prompt: undefined }, 400, 'prompt'],
  ['a length as text', { seconds: '5' }, 400, 'seconds'],
  ['another height', { height: 721 }, 400, 'height'],
  ['another model', { model: 'clips-1' }, 400, 'model'],
  ['a frame that is not there', { first_frame: 'http://127.0.0.1:1/a.png' }, 400, 'first_frame'],
])('refuses %s, and names the field', async (_what, fields, status, field) => {
  const response = await submit(fields);
  expect([response.status, await response.json()]).toEqual([
    status,
    { error: expect.objectContaining({ code: 'invalid', field }) },
  ]);
  expect((await simulator.tasks()).tasks).toEqual([]);
});

it('refuses a key that it does not know, and a job that it never had', async () => {
  expect((await submit({}, 'other')).status).toBe(401);
  expect(await ask('none')).toMatchObject({ status: 404, body: { error: { code: 'no_such_job' } } });
});

it('makes a clip that can be had once it is finished, and counts its hours', async () => {
  const { id } = await submitted({});
  expect((await ask(id)).body).toMatchObject({ state: 'waiting', error: null });
  await simulator.moveClock({ advanceMs: VIDEO_MS });
  const { body } = await ask(id);
  expect(body).toMatchObject({ state: 'finished', hours: 0.05, output: { seconds: 5 } });
  expect((await fetch(body.output.video_url)).headers.get('content-type')).toBe('video/mp4');
});

it('stops a job that waits, and none that it works on', async () => {
  const { id } = await submitted({});
  expect((await ask(id, 'DELETE')).body).toMatchObject({ state: 'stopped' });
  const { id: begun } = await submitted({ prompt: 'a crane' });
  await simulator.moveClock({ advanceMs: VIDEO_MS / 2 });
  expect((await ask(begun, 'DELETE')).body).toMatchObject({ state: 'working', percent: 50 });
});
