import { cancelUnpaid, createFinisher } from '@mediagate/billing';
import type { TaskId } from '@mediagate/contracts';
import { type Cancellation, createTaskCanceller, createTaskReader } from '@mediagate/tasks';
import type { World } from './world';

/** Cancels tasks of the world as the API does. The upstream stops jobs of the model `idempotent` alone. */
export function createCanceller(
  { database, queues }: World,
  { waitMs }: { waitMs?: number } = {},
): (id: TaskId) => Promise<Cancellation | undefined> {
  const finish = createFinisher(database);
  const cancel = createTaskCanceller({
    database,
    readTask: createTaskReader(database),
    async endUnpaid(task) {
      return (await cancelUnpaid(finish, task)).won;
    },
    enqueueTask: (task) => void queues.enqueueTask(task).catch(() => undefined),
    protocols: ['generic-idempotent'],
    isSynchronous: () => false,
    onLookFailed: () => undefined,
    waitMs,
  });
  return (id) => cancel(id, { signal: new AbortController().signal, takeSlot: () => () => undefined });
}
