import { CANCELLED_BY_CALLER, type TaskError, taskError } from '@mediagate/billing';
import {
  type ErrorCode,
  GatewayError,
  isTaskFailureReason,
  type Message,
  message,
  messageOf,
  storedMessage,
  type TaskFailureReason,
} from '@mediagate/contracts';
import type { TaskRow } from '@mediagate/tasks';

/** The error of a failed task for a caller who waits for its answer, and has got no byte of it yet. */
const ERRORS: Readonly<Record<TaskFailureReason, ErrorCode>> = {
  no_upstream: 'unavailable',
  content_policy: 'invalid_request',
  invalid_parameter: 'invalid_request',
  upstream_error: 'upstream_unreachable',
  outcome_unknown: 'upstream_unreachable',
  timeout: 'upstream_unreachable',
  result_unavailable: 'upstream_unreachable',
  bad_media: 'invalid_request',
  caller_left: 'unavailable',
  internal_error: 'internal',
  service_unavailable: 'unavailable',
  cancelled: 'unavailable',
  expired_before_start: 'unavailable',
};

const RETRY_AFTER_SECONDS = 5;

interface Failure {
  reason?: TaskFailureReason;
  message?: Message;
  param?: string;
}

/** Why the task has failed, as its row says. */
export function failureIn({ error }: Pick<TaskRow, 'error'>): Failure {
  if (!error) return {};
  const { reason, param } = error;
  return {
    message: storedMessage(error),
    ...(isTaskFailureReason(reason) && { reason }),
    ...(typeof param === 'string' && param !== '' && { param }),
  };
}

/** The failure of a task as the error of the request that waited for it. */
export function taskFailure(
  { reason = 'upstream_error', message: words = messageOf(reason), param }: Failure,
  context: { taskId?: string; internal?: string },
): GatewayError {
  const code = ERRORS[reason];
  const waits = code === 'unavailable' ? { retryAfterSeconds: RETRY_AFTER_SECONDS } : {};
  return new GatewayError(code, words, { reason, param, ...context, ...waits });
}

/** The same if the worker's last message did not arrive: without a connection it writes an internal error, as if this process were gone. */
export function lostFailureIn(row: Pick<TaskRow, 'error'>): Failure {
  const failure = failureIn(row);
  return failure.reason === 'internal_error' ? { ...failure, reason: 'caller_left' } : failure;
}

/** A worker that did not reach this process, or was refused by it, has refunded the task; its caller waits all the same. */
export function speechFailure(reason: TaskFailureReason, failure: Failure): GatewayError {
  if (reason !== 'caller_left')
    return taskFailure({ ...failure, reason }, { internal: `the speech failed: ${reason}` });
  return new GatewayError('unavailable', message('service_unavailable'), {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    internal: 'the worker of the speech did not find its listener',
  });
}

/** The error of a task that this process ends while its caller waits: what is cancelled here is so at its account's request. */
export function endError(reason: TaskFailureReason): TaskError {
  return taskError(reason, reason === 'cancelled' ? { message: CANCELLED_BY_CALLER } : {});
}
