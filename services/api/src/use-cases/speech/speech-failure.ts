import { type ErrorCode, GatewayError, type Message, messageOf, type TaskFailureReason } from '@mediagate/contracts';

/** What a caller who has got no byte yet is answered. */
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
  // A worker found no listener; a caller who still waits has lost the connection to it.
  caller_left: 'internal',
};
const RETRY_AFTER_SECONDS = 5;

/** The failure of a speech's task as the error that its caller gets. */
export function speechFailure(
  reason: TaskFailureReason,
  { message = messageOf(reason), param }: { message?: Message; param?: string } = {},
): GatewayError {
  const code = CODES[reason];
  return new GatewayError(code, message, {
    reason,
    param,
    ...(code === 'unavailable' ? { retryAfterSeconds: RETRY_AFTER_SECONDS } : {}),
    internal: `the speech failed: ${reason}`,
  });
}
