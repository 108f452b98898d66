import { forAllTests } from '@mediagate/testkit';
import { type Json, keyOf, startUnderTest } from './simulator-under-test';
import { arkVideos } from './strictness/ark';
import { replicate } from './strictness/replicate';
import { skyreels } from './strictness/skyreels';
import { sunoapiTracks } from './strictness/sunoapi';

const JOB_MS = 60_000;

const simulator = forAllTests(() => startUnderTest({ videoMs: JOB_MS }));
afterEach(() => simulator.reset());

/** Calls a vendor with its key as a bearer. */
async function call(vendor: string, path: string, { method = 'GET', body }: { method?: string; body?: unknown } = {}) {
  const response = await fetch(`${simulator.url}/${vendor}${path}`, {
    method,
    headers: { authorization: `Bearer ${keyOf(vendor)}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { httpStatus: response.status, body: (await response.json()) as Json };
}

it('Ark stops a task that waits, not one that runs, and forgets one that has ended', async () => {
  const tasks = '/api/v3/contents/generations/tasks';
  const { body } = arkVideos.request(arkVideos.good);
  const start = async () => (await call('ark', tasks, { method: 'POST', body })).body.id;
  const remove = async (id: string) => (await call('ark', `${tasks}/${id}`, { method: 'DELETE' })).httpStatus;
  const look = (id: string) => call('ark', `${tasks}/${id}`);
  const [waits, runs] = [await start(), await start()];
  expect([await remove(waits), await look(waits)]).toMatchObject([200, { body: { status: 'cancelled' } }]);
  await simulator.moveClock({ advanceMs: JOB_MS / 2 });
  expect(await remove(runs)).toBe(400);
  await simulator.moveClock({ advanceMs: JOB_MS / 2 });
  expect(await look(runs)).toMatchObject({ body: { status: 'succeeded' } });
  expect([await remove(runs), await look(runs)]).toMatchObject([200, { httpStatus: 404 }]);
});

it('Replicate stops a prediction that waits or runs, and none that is over', async () => {
  const predict = async () => {
    const { body } = replicate.request(replicate.good);
    return (await call('replicate', '/v1/models/minimax/hailuo-02/predictions', { method: 'POST', body })).body.id;
  };
  const cancel = async (id: string) =>
    (await call('replicate', `/v1/predictions/${id}/cancel`, { method: 'POST' })).body.status;
  const [waits, runs, ends] = [await predict(), await predict(), await predict()];
  expect(await cancel(waits)).toBe('canceled');
  await simulator.moveClock({ advanceMs: JOB_MS / 2 });
  expect(await cancel(runs)).toBe('canceled');
  await simulator.moveClock({ advanceMs: JOB_MS });
  expect(await cancel(ends)).toBe('succeeded');
});

it('SkyReels knows an id by its own operation alone', async () => {
  const { operation: _, ...fields } = skyreels.good;
  const started = await call('skyreels', '/api/v1/video/text2video/submit', { method: 'POST', body: fields });
  const { body } = await call('skyreels', `/api/v1/video/omni-video/task/${started.body.task_id}`);
  expect(body).toMatchObject({ code: 200, status: 'unknown', data: null });
});

describe('sunoapi', () => {
  const start = async (path: string, body: object): Promise<string> =>
    (await call('sunoapi', `/api/v1/${path}`, { method: 'POST', body })).body.data.taskId;
  const check = async (kind: string, id: string) =>
    (await call('sunoapi', `/api/v1/${kind}/record-info?taskId=${id}`)).body;

  it('knows a task by its own kind of question alone', async () => {
    const id = await start('generate', sunoapiTracks.good);
    expect(await check('lyrics', id)).toMatchObject({ code: 404, data: null });
    expect(await check('generate', 'nothing')).toMatchObject({ code: 404 });
    expect(await check('generate', '')).toMatchObject({ code: 400 });
  });

  it('goes on at the end, with the parameters of the track, where an extension has none of its own', async () => {
    const finish = async (path: string, body: object) => {
      const id = await start(path, body);
      await simulator.moveClock({ advanceMs: JOB_MS });
      return (await check('generate', id)).data.response.sunoData[0];
    };
    const track = await finish('generate', sunoapiTracks.good);
    const extension = { defaultParamFlag: false, audioId: track.id, model: 'V5_5', callBackUrl: 'http://127.0.0.1/h' };
    const { title, tags, prompt } = track;
    expect(title).toBe('Harbour');
    expect(await finish('generate/extend', extension)).toMatchObject({ duration: 26, title, tags, prompt });
  });
});
