import {
  type ErrorCode,
  type Fault,
  type FaultCode,
  GatewayError,
  reasonOf,
  TASK_FAILURE_MESSAGES,
  type TaskFailureReason,
} from '@mediagate/contracts';

/** What a caller is told of a request that no channel answered; its reason is the fault's own. */
interface TextFailure {
  error: ErrorCode;
  /** Where the vendor said nothing that callers may read. */
  message: string;
}

const UNAVAILABLE: TextFailure = {
  error: 'unavailable',
  message: 'The model is temporarily unavailable. Please try again later.',
};
const BROKEN: TextFailure = {
  error: 'upstream_unreachable',
  message: 'The model could not answer. Please try again.',
};
const REJECTED: TextFailure = {
  error: 'invalid_request',
  message: TASK_FAILURE_MESSAGES.invalid_parameter,
};

const FAILURES: Readonly<Record<FaultCode, TextFailure>> = {
  not_accepted: UNAVAILABLE,
  rate_limited: UNAVAILABLE,
  operator: UNAVAILABLE,
  cannot_carry: REJECTED,
  bad_request: REJECTED,
  content_policy: { ...REJECTED, message: TASK_FAILURE_MESSAGES.content_policy },
  upstream_fault: BROKEN,
  generation_failed: BROKEN,
  outcome_unknown: BROKEN,
};

/** In seconds, where the vendor named no time. */
const RETRY_AFTER_SECONDS = 5;
const MAX_RETRY_AFTER_SECONDS = 3600;

export function failureReason(fault: Fault | undefined): TaskFailureReason {
  return fault === undefined ? 'no_upstream' : reasonOf(fault);
}

/** Without a fault there was no channel to ask. */
export function textError(fault: Fault | undefined): GatewayError {
  const { error, message } = fault === undefined ? UNAVAILABLE : FAILURES[fault.code];
  const internal =
    fault === undefined ? 'no channel that takes the model is in order and has room' : `${fault.code}: ${fault.detail}`;
  const seconds = Math.ceil((fault?.retryAfterMs ?? RETRY_AFTER_SECONDS * 1000) / 1000);
  const waits = error === 'unavailable' ? { retryAfterSeconds: Math.min(seconds, MAX_RETRY_AFTER_SECONDS) } : {};
  const told = error === 'invalid_request' ? (fault?.publicMessage ?? message) : message;
  return new GatewayError(error, told, {
    ...{ reason: failureReason(fault), param: fault?.param, internal },
    ...waits,
  });
}
