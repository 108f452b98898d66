import { taskError } from '@mediagate/billing';
import { enqueueCallbacks } from '@mediagate/callbacks';
import type { TaskFailureReason, TaskId } from '@mediagate/contracts';
import type { Tasks } from '@mediagate/tasks';

interface TaskToFail {
  id: TaskId;
  accountId: string;
  fence: number | 'any';
}

/** The part of the domain that ends overdue tasks. */
export type Ending = Pick<Tasks, 'database' | 'finish' | 'queue' | 'logger'>;

/**
 * Fails and refunds tasks, and enqueues their callbacks.
 *
 * @returns how many of them had not ended before.
 */
export async function failTasks(
  tasks: Ending,
  overdue: readonly TaskToFail[],
  reason: TaskFailureReason,
): Promise<number> {
  const error = taskError(reason);
  const finished = await Promise.all(
    overdue.map(({ id: taskId, ...task }) => tasks.finish({ ...task, taskId, outcome: { kind: 'failed', error } })),
  );
  await enqueueCallbacks(tasks, finished);
  return finished.filter(({ won }) => won).length;
}
