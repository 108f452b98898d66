import { type createFinisher, taskError } from '@mediagate/billing';
import type { TaskFailureReason, TaskId } from '@mediagate/contracts';
import type { Database } from '@mediagate/database';
import type { Queues } from '@mediagate/queue';
import { passSlotsOn } from '@mediagate/tasks';

interface TaskToFail {
  id: TaskId;
  accountId: string;
  fence: number | 'any';
}

export interface FailTasksDeps {
  database: Pick<Database, 'releaseThrottledTasks'>;
  finish: ReturnType<typeof createFinisher>;
  queues: Queues;
}

/**
 * Fails and refunds tasks, enqueues their callbacks, and passes on the slots that they had under their keys' limits.
 *
 * @returns how many of them had not ended before.
 */
export async function failTasks(
  tasks: readonly TaskToFail[],
  reason: TaskFailureReason,
  { database, finish, queues }: FailTasksDeps,
): Promise<number> {
  const error = taskError(reason);
  const finished = await Promise.all(
    tasks.map(({ id: taskId, ...task }) => finish({ ...task, taskId, outcome: { kind: 'failed', error } })),
  );
  const deliveries = finished.flatMap(({ deliveryId }) =>
    deliveryId === undefined ? [] : [{ deliveryId, attemptsMade: 0 }],
  );
  if (deliveries.length > 0) await queues.enqueueDeliveries(deliveries);
  const freed = finished.flatMap((end) => end.freed ?? []);
  await passSlotsOn(freed, { database, enqueueTask: (task) => queues.enqueueTask(task) });
  return finished.filter(({ won }) => won).length;
}
