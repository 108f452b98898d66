import { forAllTests, forEachTest } from '@mediagate/testkit';
import { buttonOf, MJ_MS, mjCaller } from './mj';
import { startUnderTest } from './simulator-under-test';

const simulator = forAllTests(() => startUnderTest({ videoMs: MJ_MS }));
afterEach(() => simulator.reset());

const { submit, fetchTask, finish, press } = mjCaller(() => simulator);

describe('what follows on a task', () => {
  const grid = forEachTest(() => finish('imagine', { prompt: 'a fox in snow [[sim:busy*0]]' }));
  const upscale = (extra: object = {}) =>
    submit('action', { taskId: grid.id, customId: buttonOf(grid, 'MJ::JOB::upsample::1::'), ...extra });

  it('obeys rules about the words of that task, and no directive of it', async () => {
    const rule = { id: 'busy', match: { wire: 'mj', path: '/submit/action', prompt: '^a fox in snow$' } };
    await simulator.setRules([{ ...rule, scenario: 'busy*1' }]);
    expect(await upscale()).toMatchObject({ code: 23 });
    expect(await simulator.lastEntry()).toMatchObject({ rule: 'rule:busy', accepted: false, model: 'v7' });
    expect(await upscale()).toMatchObject({ code: 1 });
  });

  it('may fail in what a window asks for', async () => {
    const upscaled = await press(grid, 'MJ::JOB::upsample::1::');
    const open = async () =>
      (await submit('action', { taskId: upscaled.id, customId: buttonOf(upscaled, 'MJ::Inpaint::1::') })).result;
    const confirm = async (prompt: string) => {
      const taskId = await open();
      await submit('modal', { taskId, prompt });
      await simulator.moveClock({ advanceMs: MJ_MS });
      return fetchTask(taskId);
    };
    expect(await confirm('ice [[sim:policy-result]]')).toMatchObject({
      status: 'FAILURE',
      prompt: 'ice',
      failReason: 'Banned prompt detected',
    });
    expect(await confirm('ice [[sim:stuck]]')).toMatchObject({ status: 'IN_PROGRESS', progress: '31%' });
    expect(await confirm('ice --v 99')).toMatchObject({ status: 'FAILURE', failReason: expect.stringMatching(/--v/) });
    const taskId = await open();
    expect(await submit('modal', { taskId, prompt: 'ice [[sim:busy*1]]' })).toMatchObject({ code: 23 });
    expect((await fetchTask(taskId)).status).toBe('MODAL');
    await expect(submit('modal', { taskId, prompt: 'ice [[sim:reset-after]]' })).rejects.toThrow();
    await simulator.moveClock({ advanceMs: MJ_MS });
    expect((await fetchTask(taskId)).status).toBe('SUCCESS');
  });
});
