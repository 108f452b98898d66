import type { TaskId } from '@mediagate/contracts';
import { type Cancellation, cancelTask, openTasks } from '@mediagate/tasks';
import type { World } from './world';

/** Cancels tasks of the world as the API does. The upstream stops jobs of the model `idempotent` alone. */
export function createCanceller(
  { database, queues }: World,
  { waitMs }: { waitMs?: number } = {},
): (id: TaskId) => Promise<Cancellation | undefined> {
  const tasks = openTasks({
    database,
    queue: queues,
    logger: { warn: () => undefined },
    cancelling: { protocols: ['generic-idempotent'], isSynchronous: () => false, waitMs },
  });
  return (id) => cancelTask(tasks, id, { signal: new AbortController().signal, takeSlot: () => () => undefined });
}
