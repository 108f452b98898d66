import { forAllTests } from '@mediagate/testkit';
import { buttonOf, MJ_MS, mjCaller, secret } from '../../test/mj';
import { type Json, startUnderTest } from '../../test/simulator-under-test';

const simulator = forAllTests(() => startUnderTest({ videoMs: MJ_MS }));
afterEach(() => simulator.reset());

const { submit, fetchTask, finish, press } = mjCaller(() => simulator);
const prompt = 'a lighthouse';
const request = (path: string, init: RequestInit = {}) =>
  fetch(`${simulator.url}${path}`, { ...init, headers: { ...secret, ...init.headers } });

describe('a task', () => {
  it.each([
    ['/mj-relax/mj', {}, 'RELAX'],
    ['/mj-fast/mj', {}, 'FAST'],
    ['/mj-turbo/mj', { prompt: 'x --relax' }, 'TURBO'],
    ['/mj', { prompt: 'x --relax' }, 'RELAX'],
    ['/mj', { prompt: 'x --relax', accountFilter: { modes: ['TURBO'] } }, 'TURBO'],
  ])('through %s with %j is worked on as %s', async (prefix, body, mode) => {
    const { result } = await submit('imagine', { prompt, ...body }, { prefix });
    expect(await fetchTask(result)).toMatchObject({ mode });
    const same = await (await request(`${prefix}/task/${result}/fetch`)).json();
    expect(same).toMatchObject({ id: result });
  });

  it('can be cancelled until it is over', async () => {
    const cancel = async (id: string) => {
      const response = await request(`/mj/task/${id}/cancel`, { method: 'POST' });
      return [response.status, await response.text()];
    };
    const { result } = await submit('imagine', { prompt });
    await simulator.moveClock({ advanceMs: MJ_MS / 2 });
    expect(await cancel(result)).toEqual([200, '']);
    expect(await simulator.lastEntry()).toMatchObject({ operation: 'cancel', externalId: result, accepted: false });
    await simulator.moveClock({ advanceMs: MJ_MS });
    expect(await fetchTask(result)).toMatchObject({ status: 'CANCEL', imageUrl: null, failReason: expect.any(String) });
    const done = await finish('imagine', { prompt });
    expect([await cancel(done.id), await cancel('1')]).toEqual([
      [200, ''],
      [200, ''],
    ]);
    expect((await fetchTask(done.id)).status).toBe('SUCCESS');
  });
});

describe('a callback', () => {
  it('says that the work has begun, and at its next time that it was cancelled', async () => {
    const statuses = async (atLeast: number) => {
      const answer = await fetch(`${simulator.url}/__receiver/hook?atLeast=${atLeast}&timeoutMs=60000`);
      const { requests } = (await answer.json()) as { requests: { body: string }[] };
      return requests.map(({ body }) => JSON.parse(body).status);
    };
    const { result } = await submit('imagine', { prompt, notifyHook: `${simulator.url}/__receiver/hook/callback` });
    await simulator.moveClock({ advanceMs: MJ_MS / 4 });
    expect(await statuses(1)).toEqual(['IN_PROGRESS']);
    await request(`/mj/task/${result}/cancel`, { method: 'POST' });
    await simulator.moveClock({ advanceMs: MJ_MS });
    expect(await statuses(2)).toEqual(['IN_PROGRESS', 'CANCEL']);
  });
});

describe('windows', () => {
  it('open for variations of any version when remixing is asked for, and not otherwise', async () => {
    const grid = await finish('imagine', { prompt });
    const variation = { taskId: grid.id, customId: buttonOf(grid, 'MJ::JOB::variation::1::') };
    expect(await submit('action', { ...variation, enableRemix: true })).toMatchObject({ code: 21 });
    expect(await submit('action', { ...variation, accountFilter: { remix: true } })).toMatchObject({ code: 21 });
    expect(await submit('action', { ...variation, enableRemix: false, accountFilter: { remix: true } })).toMatchObject({
      code: 1,
    });
    expect(await submit('action', { ...variation, strong: true })).toMatchObject({ code: 4 });
  });

  it('are confirmed once, with words, under the same id', async () => {
    const upscaled = await press(await finish('imagine', { prompt }), 'MJ::JOB::upsample::1::');
    const inpaint = { taskId: upscaled.id, customId: buttonOf(upscaled, 'MJ::Inpaint::') };
    const { result } = await submit('action', inpaint);
    expect(await submit('modal', { taskId: result })).toMatchObject({ code: 4 });
    expect(await submit('modal', { taskId: result, prompt: '' })).toMatchObject({ code: 4 });
    expect(await submit('modal', { taskId: result, prompt: 'a naked rock' })).toMatchObject({ code: 24 });
    expect(await submit('modal', { taskId: result, prompt })).toMatchObject({ code: 1, result });
    expect(await submit('modal', { taskId: result, prompt })).toMatchObject({ code: 4 });
    const starts = (await simulator.journal()).filter(({ path, accepted }) => accepted && path.endsWith('/modal'));
    expect(starts.map(({ externalId }) => externalId)).toEqual([result]);
  });

  it('can be cancelled', async () => {
    const upscaled = await press(await finish('imagine', { prompt }), 'MJ::JOB::upsample::1::');
    const { result } = await submit('action', { taskId: upscaled.id, customId: buttonOf(upscaled, 'MJ::Inpaint::') });
    await request(`/mj/task/${result}/cancel`, { method: 'POST' });
    expect(await fetchTask(result)).toMatchObject({ status: 'CANCEL', startTime: null });
    expect(await submit('modal', { taskId: result, prompt })).toMatchObject({ code: 4 });
  });
});

describe('refusals', () => {
  it('of what a task does not offer: 4', async () => {
    const { result } = await submit('imagine', { prompt });
    await simulator.moveClock({ advanceMs: MJ_MS });
    const grid = await fetchTask(result);
    const refused = async (task: Json, customId: string) =>
      expect(await submit('action', { taskId: task.id, customId })).toMatchObject({ httpStatus: 200, code: 4 });
    await refused(grid, 'MJ::JOB::upsample::5::x');
    await refused(grid, `MJ::Outpaint::50::1::${grid.properties.messageHash}::SOLO`);
    expect(await submit('modal', { taskId: grid.id, prompt })).toMatchObject({ code: 4 });
    expect(await submit('video', { action: 'extend', taskId: grid.id, index: 0 })).toMatchObject({ code: 4 });
    const old = await press(await finish('imagine', { prompt: 'x --v 5.2' }), 'MJ::JOB::upsample::1::');
    await refused(old, `MJ::JOB::pan_left::1::${old.properties.messageHash}::SOLO`);
  });

  it('of wrong flags come with the work, not with the submit', async () => {
    const wrong = await finish('imagine', { prompt: 'a fox --ar 16x9' });
    expect(wrong).toMatchObject({ status: 'FAILURE', imageUrl: null, buttons: [] });
    expect(wrong.failReason).toBe('[Invalid parameter] Invalid value for `--ar`: 16x9');
    const link = await finish('imagine', { prompt: 'http://127.0.0.1:1/x.png a fox' });
    expect(link).toMatchObject({ status: 'FAILURE', failReason: expect.stringMatching(/^\[Invalid link\]/) });
  });
});
