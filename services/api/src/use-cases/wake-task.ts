import type { Family, TaskId } from '@mediagate/contracts';
import type { Logger } from '@mediagate/host';
import type { Queues } from '@mediagate/queue';

/** Wakes under way at once. With a Redis that does not answer, more would only pile up; the reconciler wakes the rest. */
const MAX_UNDER_WAY = 1000;

export type WakeTask = (family: Family, taskId: TaskId) => void;

/**
 * Tells the family's workers of a task that was just committed. Nobody waits for it and nothing depends on it: the queue
 * has its own time limit, and a wake that fails is made good from the task's row.
 */
export function createWakeTask(queues: Pick<Queues, 'wakeTask'>, logger: Logger): WakeTask {
  let underWay = 0;
  return (family, taskId) => {
    if (underWay >= MAX_UNDER_WAY) return;
    underWay += 1;
    queues
      .wakeTask({ family, taskId, fence: 0 })
      .catch((error: unknown) => logger.debug('task.wake_failed', { taskId, family, error }))
      .finally(() => {
        underWay -= 1;
      });
  };
}
