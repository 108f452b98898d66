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

/** The error for a caller who has got no byte yet. */
const CODES: Readonly<Record<TaskFailureReason, ErrorCode>> = {
  content_policy: 'invalid_request',
  invalid_parameter: 'invalid_request',
  bad_media: 'invalid_request',
  no_upstream: 'unavailable',
  cancelled: 'unavailable',
  // Speeches take no `expires_in`.
  expired_before_start: 'internal',
  upstream_error: 'upstream_unreachable',
  outcome_unknown: 'upstream_unreachable',
  result_unavailable: 'upstream_unreachable',
  timeout: 'upstream_unreachable',
  internal_error: 'internal',
  service_unavailable: 'unavailable',
  caller_left: 'unavailable',
};
const RETRY_AFTER_SECONDS = 5;

/** The failure of a speech's task as the error that its caller gets. */
export function speechFailure(
  reason: TaskFailureReason,
  { message: words = messageOf(reason), param }: { message?: Message; param?: string } = {},
): GatewayError {
  if (reason === 'caller_left') return notFound();
  const code = CODES[reason];
  return new GatewayError(code, words, {
    reason,
    param,
    ...(code === 'unavailable' ? { retryAfterSeconds: RETRY_AFTER_SECONDS } : {}),
    internal: `the speech failed: ${reason}`,
  });
}

/** The worker did not reach this process, or was refused by it, and has refunded the task; its caller waits all the same. */
function notFound(): GatewayError {
  return new GatewayError('unavailable', message('service_unavailable'), {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    internal: 'the worker of the speech did not find its listener',
  });
}

interface RowError {
  reason?: TaskFailureReason;
  message?: Message;
  param?: string;
}

/** Why the worker has failed the task. */
export function errorIn({ error }: TaskRow): RowError {
  if (!error) return {};
  const { reason, param } = error;
  return {
    message: storedMessage(error),
    ...(isTaskFailureReason(reason) && { reason }),
    ...(typeof param === 'string' && param !== '' && { param }),
  };
}

/** The same if the worker's last message did not arrive: without a connection it writes an internal error, as if this process were gone. */
export function lostErrorIn(row: TaskRow): RowError {
  const error = errorIn(row);
  return error.reason === 'internal_error' ? { ...error, reason: 'caller_left' } : error;
}
