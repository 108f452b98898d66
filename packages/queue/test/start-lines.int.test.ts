import { EventEmitter, once } from 'node:events';

import { newTaskId, type TaskId } from '@mediagate/contracts';
import { testRedisUrl, uniquePrefix } from '@mediagate/testkit';
import { openQueues, type Queues, type StartLine } from '../src';

let queues: Queues;
beforeEach(() => {
  queues = openQueues({ redisUrl: testRedisUrl(), prefix: uniquePrefix() });
});
afterEach(() => queues.close());

async function start(line: StartLine, count = 1): Promise<TaskId[]> {
  const ids = Array.from({ length: count }, () => newTaskId());
  await queues.enqueueStarts(
    'video',
    ids.map((taskId) => ({ taskId, fence: 0, line })),
  );
  return ids;
}

async function step(count = 1): Promise<TaskId[]> {
  const ids = Array.from({ length: count }, () => newTaskId());
  await queues.enqueueTasks(
    'video',
    ids.map((taskId) => ({ family: 'video', taskId, fence: 1 })),
  );
  return ids;
}

/** One worker with one slot takes so many jobs. */
async function take(count: number): Promise<TaskId[]> {
  const taken: TaskId[] = [];
  const worker = new EventEmitter();
  const done = once(worker, 'done');
  const consumer = queues.consumeTasks(
    'video',
    async ({ taskId }) => {
      taken.push(taskId);
      if (taken.length === count) worker.emit('done');
      if (taken.length === count) await once(worker, 'closing');
    },
    { concurrency: 1 },
  );
  await done;
  const closed = consumer.close();
  worker.emit('closing');
  await closed;
  return taken;
}

describe('lines of starts', () => {
  it('come after the steps of what is under way, and those of light accounts before the others', async () => {
    const fair = await start('fair', 2);
    const light = await start('light', 2);
    const steps = await step(2);
    expect(await queues.countWaiting('video')).toEqual({ steps: 2, light: 2, fair: 2 });
    expect(await queues.countStarts('video')).toBe(4);
    expect(await take(6)).toEqual([...steps, ...light, ...fair]);
  });

  it('keep their order however many there are', async () => {
    const ids = await start('fair', 300);
    expect(await take(300)).toEqual(ids);
  });

  it('collapse with a job of the same step, in whatever line', async () => {
    const [taskId] = await start('fair');
    if (taskId === undefined) throw new Error('no task');
    await queues.enqueueStarts('video', [{ taskId, fence: 0, line: 'light' }]);
    await queues.enqueueTask({ family: 'video', taskId, fence: 0 });
    expect(await queues.countWaiting('video')).toEqual({ steps: 0, light: 0, fair: 1 });
  });

  it('go on a few at a time where steps alone would be taken', async () => {
    const fair = await start('fair', 20);
    await step(3);
    expect(await queues.releaseStandingLines('video')).toBe(0);
    await take(1);
    expect(await queues.releaseStandingLines('video')).toBe(8);
    expect(await queues.countWaiting('video')).toEqual({ steps: 10, light: 0, fair: 12 });
    expect((await take(10)).slice(2)).toEqual(fair.slice(0, 8));
  });

  it('go on where light accounts alone would be served', async () => {
    const fair = await start('fair', 2);
    await start('light', 3);
    await queues.releaseStandingLines('video');
    await take(1);
    expect(await queues.releaseStandingLines('video')).toBe(2);
    expect(await take(2)).toEqual(fair);
  });

  it('stay as they are while no worker takes anything, and while they move by themselves', async () => {
    await start('fair', 3);
    await step(3);
    for (let look = 0; look < 3; look += 1) expect(await queues.releaseStandingLines('video')).toBe(0);
    await take(4);
    expect(await queues.releaseStandingLines('video')).toBe(0);
  });
});

it('jobs that are missing are told from those in any line, and from those put off', async () => {
  const [[fair], [light], [due]] = [await start('fair'), await start('light'), await step()];
  const [later, lost] = [newTaskId(), newTaskId()];
  await queues.enqueueTask({ family: 'video', taskId: later, fence: 5, delayMs: 60_000 });
  const asked = [
    { taskId: fair as TaskId, fence: 0 },
    { taskId: light as TaskId, fence: 0 },
    { taskId: due as TaskId, fence: 1 },
    { taskId: later, fence: 5 },
    { taskId: later, fence: 6 },
    { taskId: lost, fence: 0 },
  ];
  expect(await queues.findMissing('video', asked)).toEqual(asked.slice(4));
});
