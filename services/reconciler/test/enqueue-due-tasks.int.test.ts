import { forEachTest } from '@mediagate/testkit';
import { enqueueDueTasks } from '../src/jobs/enqueue-due-tasks';
import { openWorld, secondsFromNow } from './world';

const world = forEachTest(openWorld);
afterEach(() => world.close());

/** Enqueued by the dispatcher, and claimed by nobody since. */
const LOST = { nextStepAt: secondsFromNow(-10), wokenAt: secondsFromNow(-9) };
const DIED = { nextStepAt: secondsFromNow(-10), leaseUntil: secondsFromNow(-1), fence: 2, status: 'processing' };

describe('enqueue-due-tasks', () => {
  it('enqueues what is due and unattended and has no job, and nothing else', async () => {
    const lost = await world.submit({}, LOST);
    const orphan = await world.submit({}, DIED);
    await world.submit({}, { nextStepAt: secondsFromNow(-10) });
    await world.submit({}, { ...LOST, nextStepAt: secondsFromNow(60) });
    await world.submit({}, { ...LOST, leaseUntil: secondsFromNow(60) });
    await world.submit({}, { ...LOST, deadlineAt: secondsFromNow(-1) });
    await world.fail(await world.submit({}, LOST));

    const job = world.reconciler().enqueueDueTasks;
    expect(await job.run()).toEqual({ done: 2, more: false });
    expect(await world.jobs('image')).toEqual([`${lost}-0`, `${orphan}-2`].sort());
    expect(await job.run()).toEqual({ done: 0, more: false });
  });

  it('leaves two seconds to whoever is about to take a task', async () => {
    const findDueTasks = jest.fn(async () => []);
    await enqueueDueTasks({ findDueTasks }, world.queues).run();
    expect(findDueTasks).toHaveBeenCalledWith(expect.anything(), expect.objectContaining({ graceMs: 2000 }));
  });

  it('enqueues everything under way again in one run after Redis lost it all', async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, () => world.submit({}, DIED)));
    const expected = ids.map((id) => `${id}-2`).sort();
    await world.reconciler().enqueueDueTasks.run();
    expect(await world.jobs('image')).toEqual(expected);

    const { queues, jobs } = world.withEmptyRedis();
    const job = world.reconciler({ queues }).enqueueDueTasks;
    expect(await job.run()).toEqual({ done: 20, more: false });
    expect(await jobs('image')).toEqual(expected);
    expect(await job.run()).toEqual({ done: 0, more: false });
  });

  it('leaves due what the queue did not take', async () => {
    const id = await world.submit({}, LOST);
    const { queues } = world.withEmptyRedis();
    await queues.close();
    await expect(world.reconciler({ queues }).enqueueDueTasks.run()).rejects.toThrow();
    expect(await world.reconciler().enqueueDueTasks.run()).toEqual({ done: 1, more: false });
    expect(await world.jobs('image')).toEqual([`${id}-0`]);
  });

  it('costs one statement a look, and no write, however much waits, and still finds what another family lost', async () => {
    await world.insertBacklog({ waiting: 10_000, underWay: 5000 });
    const lost = await world.submit({ family: 'video', kind: 'video' }, LOST);
    const asked: number[] = [];
    const enqueued: number[] = [];
    const job = enqueueDueTasks(world.database, {
      findMissing(family, tasks) {
        asked.push(tasks.length);
        return world.queues.findMissing(family, tasks);
      },
      enqueueTasks(family, tasks) {
        enqueued.push(tasks.length);
        return world.queues.enqueueTasks(family, tasks);
      },
    });
    await job.run();
    expect(await world.jobs('video')).toEqual([`${lost}-0`]);
    for (let look = 0; look < 6; look += 1) await job.run();
    expect(sum(enqueued)).toBe(5001);
    asked.length = 0;
    for (let look = 0; look < 12; look += 1) expect(await job.run()).toEqual({ done: 0, more: false });
    expect(Math.max(...asked)).toBe(1000);
    expect(sum(enqueued)).toBe(5001);
  });
});

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
