import type { Database } from '@mediagate/database';
import { withMethods } from '@mediagate/testkit';
import { openWorld, secondsFromNow, type World } from './world';

let world: World;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.close());

const LOST = { nextStepAt: secondsFromNow(-10) };

describe('enqueue-due-tasks', () => {
  it('enqueues once what is due and unattended, and nothing else', async () => {
    const lost = await world.submit({}, LOST);
    const died = { ...LOST, leaseUntil: secondsFromNow(-1), fence: 2, status: 'processing' };
    const orphan = await world.submit({}, died);
    await world.submit({}, { nextStepAt: secondsFromNow(-0.5) });
    await world.submit({}, { nextStepAt: secondsFromNow(60) });
    await world.submit({}, { ...LOST, leaseUntil: secondsFromNow(60) });
    await world.submit({}, { ...LOST, deadlineAt: secondsFromNow(-1) });
    await world.fail(await world.submit({}, LOST));

    const job = world.reconciler().enqueueDueTasks;
    expect(await job.run()).toEqual({ done: 2, more: false });
    expect(await world.jobs('image')).toEqual([`${lost}-0`, `${orphan}-2`].sort());
    expect(await job.run()).toEqual({ done: 0, more: false });
  });

  it('enqueues the tasks of every family in their own queue', async () => {
    const image = await world.submit({}, LOST);
    const video = await world.submit({ family: 'video', kind: 'video' }, LOST);
    await world.reconciler().enqueueDueTasks.run();
    expect(await world.jobs('image')).toEqual([`${image}-0`]);
    expect(await world.jobs('video')).toEqual([`${video}-0`]);
  });

  it('enqueues everything due again in one run after Redis lost it all', async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, () => world.submit({}, LOST)));
    const expected = ids.map((id) => `${id}-0`).sort();
    await world.reconciler().enqueueDueTasks.run();
    expect(await world.jobs('image')).toEqual(expected);

    const { queues, jobs } = world.withEmptyRedis();
    const job = world.reconciler({ queues }).enqueueDueTasks;
    expect(await job.run()).toEqual({ done: 20, more: false });
    expect(await jobs('image')).toEqual(expected);
    expect(await job.run()).toEqual({ done: 0, more: false });
  });

  it('remembers the loss when the database fails in the middle of it', async () => {
    await world.submit({}, LOST);
    await world.reconciler().enqueueDueTasks.run();

    let failures = 1;
    const forgetEnqueued: Database['forgetEnqueued'] = async (limit) => {
      if (failures-- > 0) throw new Error('connection lost');
      return world.database.forgetEnqueued(limit);
    };
    const failing = withMethods(world.database, { forgetEnqueued });
    const job = world.reconciler({ database: failing, queues: world.withEmptyRedis().queues }).enqueueDueTasks;
    await expect(job.run()).rejects.toThrow('connection lost');
    expect(await job.run()).toEqual({ done: 1, more: false });
  });

  it('leaves due what the queue did not take', async () => {
    const id = await world.submit({}, LOST);
    const { queues } = world.withEmptyRedis();
    await queues.close();
    await expect(world.reconciler({ queues }).enqueueDueTasks.run()).rejects.toThrow();
    expect(await world.reconciler().enqueueDueTasks.run()).toEqual({ done: 1, more: false });
    expect(await world.jobs('image')).toEqual([`${id}-0`]);
  });

  it('does no harm in two instances at once', async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, () => world.submit({}, LOST)));
    const instances = [world.reconciler().enqueueDueTasks, world.otherReconciler().enqueueDueTasks];
    await Promise.all([...instances, ...instances].map((job) => job.run()));
    expect(await world.jobs('image')).toEqual(ids.map((id) => `${id}-0`).sort());
    expect(await instances[0]?.run()).toEqual({ done: 0, more: false });
  });
});
