import { createBatcher } from '@mediagate/concurrency';
import type { Family, TaskId } from '@mediagate/contracts';
import type { Logger } from '@mediagate/host';
import type { QueuedTask, Queues } from '@mediagate/queue';

/** Tasks that wait for the queue at most; beyond it the reconciler enqueues them. */
const MAX_WAITING = 1000;
const MAX_TOGETHER = 100;

export type EnqueueTask = (family: Family, taskId: TaskId) => void;

/**
 * Enqueues a task that was just committed. Nobody waits for it and nothing depends on it: the queue has its own time limit,
 * and the reconciler enqueues a task that could not be enqueued here. Tasks that come while others are in flight go together.
 */
export function createEnqueueTask(queues: Pick<Queues, 'enqueueTasks'>, logger: Logger): EnqueueTask {
  async function enqueue(family: Family, tasks: QueuedTask[]): Promise<void> {
    try {
      await queues.enqueueTasks(family, tasks);
    } catch (error) {
      logger.warn('task.enqueue_failed', { family, count: tasks.length, error });
    }
  }

  const add = createBatcher<QueuedTask, void>({
    maxItems: MAX_TOGETHER,
    maxWaiting: MAX_WAITING,
    full: (maxWaiting) => new Error(`${maxWaiting} tasks wait to be enqueued`),
    failsAll: () => true,
    async run(tasks) {
      for (const [family, ofFamily] of byFamily(tasks)) await enqueue(family, ofFamily);
      return [];
    },
  });

  return (family, taskId) => {
    // The reconciler enqueues a task that the full batcher refuses.
    add({ family, taskId, fence: 0 }).catch(() => undefined);
  };
}

function byFamily(tasks: readonly QueuedTask[]): Iterable<[Family, QueuedTask[]]> {
  const families = new Map<Family, QueuedTask[]>();
  for (const task of tasks) families.set(task.family, [...(families.get(task.family) ?? []), task]);
  return families;
}
