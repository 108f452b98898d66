import {
  type ErrorCode,
  GatewayError,
  isTaskFailureReason,
  storedMessage,
  type TaskFailureReason,
} from '@mediagate/contracts';
import type { TaskRow } from '@mediagate/tasks';

/** The error of a failed task for callers who waited for it. */
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

/** Turns a task's failure into the error of the request that waited for it. */
export function taskFailure({ id, error }: TaskRow): GatewayError {
  const { reason: stored, param } = error ?? {};
  const reason = isTaskFailureReason(stored) ? stored : 'upstream_error';
  const code = ERRORS[reason];
  return new GatewayError(code, storedMessage(error ?? {}), {
    reason,
    taskId: id,
    ...(typeof param === 'string' && param !== '' ? { param } : {}),
    ...(code === 'unavailable' ? { retryAfterSeconds: RETRY_AFTER_SECONDS } : {}),
  });
}
