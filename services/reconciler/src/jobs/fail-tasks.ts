import { type createFinisher, taskError } from '@mediagate/billing';
import { type Callbacks, enqueueCallbacks } from '@mediagate/callbacks';
import type { TaskFailureReason, TaskId } from '@mediagate/contracts';

interface TaskToFail {
  id: TaskId;
  accountId: string;
  fence: number | 'any';
}

export interface FailTasksDeps {
  finish: ReturnType<typeof createFinisher>;
  callbacks: Pick<Callbacks, 'queue' | 'logger'>;
}

/**
 * Fails and refunds tasks, and enqueues their callbacks.
 *
 * @returns how many of them had not ended before.
 */
export async function failTasks(
  tasks: readonly TaskToFail[],
  reason: TaskFailureReason,
  { finish, callbacks }: FailTasksDeps,
): Promise<number> {
  const error = taskError(reason);
  const finished = await Promise.all(
    tasks.map(({ id: taskId, ...task }) => finish({ ...task, taskId, outcome: { kind: 'failed', error } })),
  );
  await enqueueCallbacks(callbacks, finished);
  return finished.filter(({ won }) => won).length;
}
