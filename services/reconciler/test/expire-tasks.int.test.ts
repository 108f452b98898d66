import { audit, createFinisher, type FinishRequest, readAccountBalance } from '@mediagate/billing';
import type { TaskId } from '@mediagate/contracts';
import { claimTask } from '@mediagate/tasks';
import { forEachTest } from '@mediagate/testkit';
import { openWorld, secondsFromNow, WEBHOOK } from './world';

const world = forEachTest(openWorld);
afterEach(() => world.close());

const OVERDUE = { deadlineAt: secondsFromNow(-1) };

function instances() {
  return [world.reconciler().expireTasks, world.otherReconciler().expireTasks] as const;
}

const read = (id: TaskId) => world.database.task.findUniqueOrThrow({ where: { id } });
const deliveries = () => world.database.webhookDelivery.findMany();

describe('expire-tasks', () => {
  it('fails what has run past its deadline, refunds it, and writes and enqueues its callback', async () => {
    const before = await readAccountBalance(world.database, world.accountId);
    const called = await world.submit({ webhook: WEBHOOK }, OVERDUE);
    const quiet = await world.submit({}, OVERDUE);
    const [job] = instances();
    expect(await job.run()).toEqual({ done: 2, more: false });

    for (const id of [called, quiet]) {
      const { status, error, result, costNano } = await read(id);
      expect({ status, error, result, costNano }).toEqual({
        status: 'failed',
        result: null,
        costNano: 0n,
        error: {
          message: 'Task timeout',
          template: { key: 'timeout', params: {} },
          type: 'task_failed',
          param: '',
          code: 'task_failed',
          reason: 'timeout',
        },
      });
    }
    expect(await readAccountBalance(world.database, world.accountId)).toEqual(before);
    const [delivery, ...more] = await deliveries();
    expect(delivery).toMatchObject({ taskId: called, state: 'pending', url: WEBHOOK });
    expect(more).toEqual([]);
    expect(await world.jobs('deliveries')).toEqual([`${delivery?.id}-0`]);
    expect(await audit(world.database)).toEqual([]);
    expect(await job.run()).toEqual({ done: 0, more: false });
  });

  it('leaves alone what has time left or has ended', async () => {
    const open = await world.submit();
    const ended = await world.submit();
    await world.fail(ended);
    expect(await instances()[0].run()).toEqual({ done: 0, more: false });
    expect((await read(open)).status).toBe('submitted');
    expect((await read(ended)).error).toMatchObject({ reason: 'upstream_error' });
  });

  it('ends a task over the head of its worker, whose result comes too late', async () => {
    const id = await world.submit({ webhook: WEBHOOK });
    const claim = await claimTask(world.other, id, 60_000);
    if (claim.kind !== 'claimed') throw new Error(`the claim was ${claim.kind}`);
    const { fence } = claim.task;
    const attempt = { attemptId: 'attempt_1', channelId: 'a', protocol: 'p' };
    expect(await world.other.beginAttempt({ id, fence }, attempt)).toBe(true);
    await world.database.task.update({ where: { id }, data: OVERDUE });

    expect(await instances()[0].run()).toEqual({ done: 1, more: false });
    const outcome: FinishRequest['outcome'] = { kind: 'completed', costNano: 1_000n, result: { images: [] } };
    const late = await createFinisher(world.other)({ taskId: id, accountId: world.accountId, fence, outcome });
    expect(late.won).toBe(false);
    expect((await read(id)).status).toBe('failed');
    expect(await deliveries()).toHaveLength(1);
    expect(await audit(world.database)).toEqual([]);
  });
});
