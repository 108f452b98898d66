import type { Family, TaskId } from '@mediagate/contracts';
import type { Logger } from '@mediagate/host';
import type { QueuedTask, Queues } from '@mediagate/queue';

/** Wakes that wait for the queue at most; beyond it they are dropped, and the reconciler wakes those tasks. */
const MAX_WAITING = 1000;
const MAX_TOGETHER = 100;

export type WakeTask = (family: Family, taskId: TaskId) => void;

/**
 * Tells the family's workers of a task that was just committed. Nobody waits for it and nothing depends on it: the queue
 * has its own time limit, and a wake that fails is made good from the task's row. Wakes that come while others are under
 * way go together.
 */
export function createWakeTask(queues: Pick<Queues, 'enqueueTasks'>, logger: Logger): WakeTask {
  let waiting: QueuedTask[] = [];
  let busy = false;

  async function sendAll(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, MAX_TOGETHER);
      waiting = waiting.slice(MAX_TOGETHER);
      for (const [family, wakes] of byFamily(batch)) await send(family, wakes);
    }
    busy = false;
  }

  async function send(family: Family, wakes: QueuedTask[]): Promise<void> {
    try {
      await queues.enqueueTasks(family, wakes);
    } catch (error) {
      logger.warn('task.enqueue_failed', { family, count: wakes.length, error });
    }
  }

  return (family, taskId) => {
    if (waiting.length >= MAX_WAITING) return;
    waiting.push({ family, taskId, fence: 0 });
    if (busy) return;
    busy = true;
    setImmediate(() => void sendAll());
  };
}

function byFamily(wakes: readonly QueuedTask[]): Iterable<[Family, QueuedTask[]]> {
  const families = new Map<Family, QueuedTask[]>();
  for (const wake of wakes) families.set(wake.family, [...(families.get(wake.family) ?? []), wake]);
  return families;
}
