import { type createFinisher, taskError } from '@mediagate/billing';
import type { TaskFailureReason, TaskId } from '@mediagate/contracts';
import type { Queues } from '@mediagate/queue';

interface TaskToFail {
  id: TaskId;
  accountId: string;
  fence: number | 'any';
}

export interface FailTasksDeps {
  finish: ReturnType<typeof createFinisher>;
  queues: Queues;
}

/**
 * Fails and refunds tasks, and enqueues their callbacks.
 *
 * @returns how many of them had not ended before.
 */
export async function failTasks(
  tasks: readonly TaskToFail[],
  reason: TaskFailureReason,
  { finish, queues }: FailTasksDeps,
): Promise<number> {
  const error = taskError(reason);
  const finished = await Promise.all(
    tasks.map(({ id: taskId, ...task }) => finish({ ...task, taskId, outcome: { kind: 'failed', error } })),
  );
  const deliveries = finished.flatMap(({ deliveryId }) =>
    deliveryId === undefined ? [] : [{ deliveryId, attemptsMade: 0 }],
  );
  if (deliveries.length > 0) await queues.enqueueDeliveries(deliveries);
  return finished.filter(({ won }) => won).length;
}
