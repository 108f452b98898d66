import { audit, readAccountBalance } from '@mediagate/billing';
import { type TaskId, timeOrderedId } from '@mediagate/contracts';
import { claimTask, writeIntent } from '@mediagate/tasks';
import { forEachTest, runSql } from '@mediagate/testkit';
import { openWorld, secondsFromNow, WEBHOOK } from './world';

const world = forEachTest(openWorld);
afterEach(() => world.close());

const LATE = { startBy: secondsFromNow(-1) };

const read = (id: TaskId) => world.database.task.findUniqueOrThrow({ where: { id } });

async function claimed(id: TaskId) {
  const claim = await claimTask(world.database, id, 60_000);
  if (claim.kind !== 'claimed') throw new Error(`the claim was ${claim.kind}`);
  return claim.task;
}

const setStartBy = (ids: TaskId[], inSeconds: number) =>
  world.database.task.updateMany({ where: { id: { in: ids } }, data: { startBy: secondsFromNow(inSeconds) } });

const attempt = (maxConcurrency?: number) => ({
  attemptId: `att_${timeOrderedId()}`,
  channelId: 'a-channel',
  protocol: 'a-protocol',
  maxConcurrency,
});

describe('expire-unstarted-tasks', () => {
  it('fails and refunds what was not begun in time, with its callback, and leaves all else alone', async () => {
    const before = await readAccountBalance(world.database, world.accountId);
    const late = await world.submit({ webhook: WEBHOOK, expiresInSeconds: 60 }, LATE);
    const job = world.reconciler().expireUnstartedTasks;
    expect(await job.run()).toEqual({ done: 1, more: false });
    expect(await read(late)).toMatchObject({
      status: 'failed',
      costNano: 0n,
      error: { reason: 'expired_before_start', message: 'The task was not begun in time.' },
    });
    expect(await readAccountBalance(world.database, world.accountId)).toEqual(before);
    const delivery = await world.database.webhookDelivery.findUniqueOrThrow({ where: { taskId: late } });
    expect(await world.jobs('deliveries')).toEqual([`${delivery.id}-0`]);

    const others = [await world.submit({ expiresInSeconds: 60 }), await world.submit()];
    expect(await job.run()).toEqual({ done: 0, more: false });
    for (const id of others) expect((await read(id)).status).toBe('submitted');
    expect(await audit(world.database)).toEqual([]);
  });

  it.each([
    ['without a limit', undefined],
    ['with a limit', 5],
  ])('leaves a task alone whose attempt began in time, on a channel %s', async (_which, maxConcurrency) => {
    const id = await world.submit({ expiresInSeconds: 60 });
    const begun = await writeIntent(world.database, await claimed(id), attempt(maxConcurrency));
    expect([begun, (await read(id)).startBy]).toEqual(['begun', null]);
    expect(await world.reconciler().expireUnstartedTasks.run()).toEqual({ done: 0, more: false });
  });

  it.each([
    ['without a limit', undefined],
    ['with a limit', 5],
  ])('counts the time for its work from the beginning of it, on a channel %s', async (_which, maxConcurrency) => {
    const id = await world.submit({ expiresInSeconds: 86_400, deadlineMs: 1_800_000 });
    await writeIntent(world.database, await claimed(id), attempt(maxConcurrency));
    const { deadlineAt } = await read(id);
    const { startedAt: begunAt } = await world.database.taskAttempt.findFirstOrThrow({ where: { taskId: id } });
    expect(deadlineAt.getTime() - begunAt.getTime()).toBe(1_800_000);
  });

  it('leaves a task of 0.1.0 its deadline, which may come before its time to begin is over', async () => {
    const deadlineAt = secondsFromNow(600);
    const id = await world.submit({ expiresInSeconds: 86_400 }, { deadlineAt });
    await writeIntent(world.database, await claimed(id), attempt());
    expect((await read(id)).deadlineAt).toEqual(deadlineAt);
  });

  it.each([
    ['without a limit', undefined],
    ['with a limit', 5],
  ])('lets no attempt begin once the time is over, on a channel %s', async (_which, maxConcurrency) => {
    const id = await world.submit();
    const task = await claimed(id);
    await world.database.task.update({ where: { id }, data: LATE });
    expect(await writeIntent(world.database, task, attempt(maxConcurrency))).toBe('lost');
    expect(await world.database.taskAttempt.count()).toBe(0);
    expect(await world.reconciler().expireUnstartedTasks.run()).toEqual({ done: 1, more: false });
  });

  it('either fails a task or lets its attempt begin, never both, where they race; the books stay exact', async () => {
    const ids = await Promise.all(Array.from({ length: 200 }, () => world.submit({ expiresInSeconds: 60 })));
    const tasks = await Promise.all(ids.map(claimed));
    await runSql(world.database, "update tasks set start_by = clock_timestamp() + random() * interval '1 second'");
    // However long the rest takes, some are in time and some are late.
    await setStartBy(ids.slice(0, 10), 3600);
    await setStartBy(ids.slice(-10), -1);
    const job = world.reconciler().expireUnstartedTasks;
    const begin = async () => {
      const begun = [];
      for (const [index, task] of tasks.entries()) {
        begun.push(await writeIntent(world.other, task, attempt(index % 2 === 0 ? undefined : 500)));
      }
      return begun;
    };
    const expire = async () => {
      while ((await world.database.task.count({ where: { startBy: { not: null }, completedAt: null } })) > 0)
        await job.run();
    };
    const [begun] = await Promise.all([begin(), expire()]);
    const ended = await Promise.all(ids.map(async (id) => (await read(id)).status === 'failed'));
    expect(ended).toEqual(begun.map((outcome) => outcome === 'lost'));
    expect(await world.database.taskAttempt.count()).toBe(begun.filter((outcome) => outcome === 'begun').length);
    expect(new Set(begun)).toEqual(new Set(['begun', 'lost']));
    expect(await audit(world.database)).toEqual([]);
  });
});
