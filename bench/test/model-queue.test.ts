import { newTaskId } from '@mediagate/contracts';
import { LINE_PRIORITY } from '../../packages/queue/src/start-lines';
import { ModelQueue } from '../src/simulation/model-queue';
import { VirtualTime } from '../src/simulation/virtual-time';

it('jobs are taken in the order of the priorities that BullMQ is given, first in first out in each line', async () => {
  const queue = new ModelQueue(new VirtualTime({ beginsAtMs: 0, seed: 1 }));
  const [fair, light, other, step] = [newTaskId(), newTaskId(), newTaskId(), newTaskId()];
  const start = (taskId: typeof fair, line: keyof typeof LINE_PRIORITY) => ({ taskId, fence: 0, line });
  await queue.enqueueStarts('image', [start(fair, 'fair'), start(light, 'light'), start(other, 'light')]);
  await queue.enqueueTask({ family: 'image', taskId: step, fence: 1 });
  expect(LINE_PRIORITY.light).toBeLessThan(LINE_PRIORITY.fair);
  expect([queue.take(), queue.take(), queue.take(), queue.take()].map((job) => job?.taskId)).toEqual([
    step,
    light,
    other,
    fair,
  ]);
});

it('a job of an id that waits or runs is not added again, and one for later comes when its time has come', async () => {
  const time = new VirtualTime({ beginsAtMs: 0, seed: 1 });
  const queue = new ModelQueue(time);
  const task = { family: 'image', taskId: newTaskId(), fence: 3, delayMs: 1000 } as const;
  await queue.enqueueTask(task);
  expect(queue.take()).toBeUndefined();
  for (const act of time.advance(1000)) act();
  const job = queue.take();
  if (job === undefined) throw new Error('no job');
  await queue.enqueueTask({ ...task, delayMs: 0 });
  expect(queue.take()).toBeUndefined();
  queue.done(job);
  await queue.enqueueTask({ ...task, delayMs: 0 });
  expect(queue.take()?.taskId).toBe(task.taskId);
});
