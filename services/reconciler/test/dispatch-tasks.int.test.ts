import { topUp } from '@mediagate/billing';
import type { Database } from '@mediagate/database';
import { createAccount, createKey } from '@mediagate/identity';
import { forEachTest, withMethods } from '@mediagate/testkit';
import { openWorld, secondsFromNow } from './world';

const world = forEachTest(openWorld);
afterEach(() => world.close());

const WAITS = { nextStepAt: secondsFromNow(-10) };

async function openPayer(priorityClass = 'normal'): Promise<{ accountId: string; keyId: string }> {
  const { database } = world;
  const { id: accountId } = await createAccount(database, { name: 'another', webhookSecret: 'whsec_dGVzdA==' });
  await topUp(database, { accountId, amountNano: 1_000_000_000n });
  await database.account.update({ where: { id: accountId }, data: { priorityClass } });
  const { id: keyId } = await createKey(database, 'a pepper for tests only', { accountId });
  return { accountId, keyId };
}

const submitMany = (count: number, payer = {}) =>
  Promise.all(Array.from({ length: count }, () => world.submit(payer, WAITS)));

describe('dispatch-tasks', () => {
  it('enqueues what waits in its row, each family in its own queue, and nothing else', async () => {
    const image = await world.submit({}, WAITS);
    const video = await world.submit({ family: 'video', kind: 'video' }, WAITS);
    await world.submit({}, { nextStepAt: secondsFromNow(60) });
    await world.submit({}, { ...WAITS, deadlineAt: secondsFromNow(-1) });
    await world.fail(await world.submit({}, WAITS));
    const job = world.reconciler().dispatchTasks;
    expect(await job.run()).toEqual({ done: 2, more: false });
    expect(await world.jobs('image')).toEqual([`${image}-0`]);
    expect(await world.jobs('video')).toEqual([`${video}-0`]);
    expect(await job.run()).toEqual({ done: 0, more: false });
  });

  it('fills the window, and goes on as far as workers make room', async () => {
    await submitMany(12);
    const job = world.reconciler({ windowJobs: 5 }).dispatchTasks;
    expect(await job.run()).toEqual({ done: 5, more: false });
    expect(await job.run()).toEqual({ done: 0, more: false });
    expect(await world.queues.countWaiting('image')).toEqual({ steps: 0, light: 0, fair: 5 });
    expect(await world.work('image', 3)).toHaveLength(3);
    expect(await job.run()).toEqual({ done: 3, more: false });
    expect(await world.queues.countStarts('image')).toBe(5);
  });

  it('enqueues speech at once, whatever waits, because its callers do', async () => {
    await Promise.all(Array.from({ length: 8 }, () => world.submit({ family: 'tts', kind: 'audio' }, WAITS)));
    await world.reconciler({ windowJobs: 5 }).dispatchTasks.run();
    expect(await world.queues.countWaiting('tts')).toEqual({ steps: 8, light: 0, fair: 0 });
  });

  it('gives a high account nine turns to one of a low one, and never leaves that one out', async () => {
    const [low, high] = [await openPayer('low'), await openPayer('high')];
    await submitMany(30, low);
    await submitMany(30, high);
    await world.reconciler({ windowJobs: 20 }).dispatchTasks.run();
    const enqueued = await world.database.task.groupBy({
      by: ['accountId'],
      where: { wokenAt: { not: null } },
      _count: true,
    });
    expect(new Map(enqueued.map(({ accountId, _count }) => [accountId, _count]))).toEqual(
      new Map([
        [low.accountId, 2],
        [high.accountId, 18],
      ]),
    );
  });

  it('fills the window again, and no more, after Redis lost it all', async () => {
    await submitMany(12);
    await world.reconciler({ windowJobs: 5 }).dispatchTasks.run();
    const { queues, jobs } = world.withEmptyRedis();
    const job = world.reconciler({ queues, windowJobs: 5 }).dispatchTasks;
    await world.forgetLeases();
    expect(await job.run()).toEqual({ done: 5, more: false });
    expect(await jobs('image')).toHaveLength(5);
    expect(await job.run()).toEqual({ done: 0, more: false });
  });

  it('remembers the loss when the database fails in the middle of it', async () => {
    await world.submit({}, WAITS);
    const before = world.reconciler().dispatchTasks;
    await before.run();
    await before.close();

    let failures = 1;
    const forgetEnqueued: Database['forgetEnqueued'] = async (...args) => {
      if (failures-- > 0) throw new Error('connection lost');
      return world.database.forgetEnqueued(...args);
    };
    const failing = withMethods(world.database, { forgetEnqueued });
    const job = world.reconciler({ database: failing, queues: world.withEmptyRedis().queues }).dispatchTasks;
    await expect(job.run()).rejects.toThrow('connection lost');
    await expect(job.run()).resolves.toEqual({ done: 1, more: false });
  });

  it('leaves waiting what the queue did not take', async () => {
    const id = await world.submit({}, WAITS);
    const { queues } = world.withEmptyRedis();
    const job = world.reconciler({ queues }).dispatchTasks;
    await queues.close();
    await expect(job.run()).rejects.toThrow();
    await world.forgetLeases();
    expect(await world.reconciler().dispatchTasks.run()).toEqual({ done: 1, more: false });
    expect(await world.jobs('image')).toEqual([`${id}-0`]);
  });

  it('is done by one instance at a time, and by another at once when that one ends in order', async () => {
    await submitMany(3);
    const [active, standby] = [world.reconciler().dispatchTasks, world.otherReconciler().dispatchTasks];
    expect(await active.run()).toEqual({ done: 3, more: false });
    await submitMany(2);
    expect(await standby.run()).toEqual({ done: 0, more: false });
    await active.close();
    const next = world.otherReconciler().dispatchTasks;
    expect(await next.run()).toEqual({ done: 2, more: false });
  });

  it('is taken over once the lease of an instance that was killed is over', async () => {
    const active = world.reconciler().dispatchTasks;
    await active.run();
    await submitMany(2);
    const [lease] = await world.database.lease.findMany();
    expect(lease?.leaseUntil.getTime()).toBeLessThan(Date.now() + 4000);
    await world.database.lease.updateMany({ data: { leaseUntil: secondsFromNow(-0.001) } });
    expect(await world.otherReconciler().dispatchTasks.run()).toEqual({ done: 2, more: false });
  });
});
