import { until } from '@mediagate/testkit';
import { asCalledBack } from '../system/caller';
import { type System, type SystemAccount, startSystem } from '../system/start-system';

const SERVICES = ['api', 'imgtool', 'music', 'webhook-delivery', 'reconciler'] as const;

let system: System<(typeof SERVICES)[number]>;
let account: SystemAccount;
beforeAll(async () => {
  // A worker that asks after its lease too often would learn of the end, and hang up on the vendor, before the answer.
  system = await startSystem({ services: SERVICES, env: { LEASE_SECONDS: '60' } });
  account = await system.account(1_000_000_000n);
});
afterAll(() => system.stop());

const IMGTOOL = '/v1/imgtool/generations';
const TIMEOUT = { message: 'Task timeout', type: 'task_failed', param: '', code: 'task_failed' };

describe('a task that runs past its limit', () => {
  /** The limit is the database's clock: the row's deadline is put where half an hour from now would be. */
  const runOut = (id: string) =>
    system.database.task.update({ where: { id }, data: { deadlineAt: new Date(Date.now() - 1) } });
  const attemptOf = (taskId: string) => system.database.taskAttempt.findFirst({ where: { taskId } });
  const read = async (path: string) => (await account.caller.get(path)).body.data;
  const balance = async () => (await account.caller.get('/v1/user/balance')).body;
  const openQuestions = async () => {
    const { entries } = (await (await fetch(`${system.simulator.url}/__sim/journal`)).json()) as {
      entries: { path: string; ending: string }[];
    };
    return entries.filter(({ path, ending }) => path.endsWith('/fetch') && ending === 'open').length;
  };

  it('fails with Task timeout, is refunded and called back; its late result changes nothing but its attempt', async () => {
    const before = await balance();
    const webhook = system.simulator.receiverUrl('late');
    // The first question is answered when the simulator's clock has gone on by an hour: with the finished image.
    const id = await account.caller.submit({ prompt: 'a fox [[sim:check-latency=60m*1]]', webhook }, IMGTOOL);
    expect((await balance()).remain_balance).toBeCloseTo(before.remain_balance - 0.05, 9);
    await until(async () => (await openQuestions()) === 1);
    expect(await read(`/v1/imgtool/${id}`)).toMatchObject({ status: 'pending', fail_reason: '' });

    await runOut(id);
    const record = asCalledBack(await account.caller.ended(id));
    expect(record).toMatchObject({ status: 'failed', progress: 100, cost: 0, error: TIMEOUT });
    expect(record).not.toHaveProperty('result');
    const imgtool = asCalledBack(await read(`/v1/imgtool/${id}`));
    expect(imgtool).toEqual({ ...record, ...imgtoolFields, prompt: expect.any(String), fail_reason: 'Task timeout' });
    expect(await balance()).toEqual(before);
    const [callback] = await system.simulator.received('late', 1);
    expect(JSON.parse(callback?.body ?? '')).toEqual(record);

    await system.simulator.moveClock({ advanceMs: 3_600_000 });
    await until(async () => /late: a result came after the task had ended$/.test((await attemptOf(id))?.detail ?? ''));
    expect(await attemptOf(id)).toMatchObject({ state: 'unknown', usage: expect.any(Object) });
    expect(asCalledBack(await read(`/v1/tasks/${id}`))).toEqual(record);
    expect(asCalledBack(await read(`/v1/imgtool/${id}`))).toEqual(imgtool);
    expect(await balance()).toEqual(before);
    expect(await system.simulator.received('late', 1)).toHaveLength(1);
  });

  it('music tasks end so too, and read the same by their own route', async () => {
    const before = await balance();
    const id = await account.caller.submit({ gpt_description: 'a waltz [[sim:stuck]]' }, '/v1/music/generations');
    await until(async () => (await attemptOf(id))?.state === 'accepted');
    await runOut(id);
    await account.caller.ended(id);
    expect(await read(`/v1/music/tasks/${id}`)).toMatchObject({ status: 'failed', progress: 100, error: TIMEOUT });
    expect(await balance()).toEqual(before);
  });

  it('leaves the books right', async () => {
    expect(await system.audit()).toEqual([]);
  });
});

const imgtoolFields = {
  action: 'imagine',
  awaits_modal: false,
  buttons: [],
  description: '',
  grid_image_url: '',
  image_urls: [],
};
