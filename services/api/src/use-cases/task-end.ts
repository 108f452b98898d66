import { CANCELLED_BY_CALLER, type TaskError, taskError } from '@mediagate/billing';
import type { TaskFailureReason } from '@mediagate/contracts';

/** The error of a task that this process ends while its caller waits: what is cancelled here is so at its account's request. */
export function endError(reason: TaskFailureReason): TaskError {
  return taskError(reason, reason === 'cancelled' ? { message: CANCELLED_BY_CALLER } : {});
}
