import {
  type ErrorCode,
  type Fault,
  type FaultCode,
  GatewayError,
  type Message,
  message,
  reasonOf,
  type TaskFailureReason,
} from '@mediagate/contracts';

/** The error that a caller gets for a request that no channel answered; its reason is the fault's own. */
interface TextFailure {
  error: ErrorCode;
  /** The message for a fault in which the vendor sent nothing that callers may read. */
  message: Message;
}

const UNAVAILABLE: TextFailure = {
  error: 'unavailable',
  message: message('model_unavailable_now'),
};
const BROKEN: TextFailure = {
  error: 'upstream_unreachable',
  message: message('model_could_not_answer'),
};
const REJECTED: TextFailure = {
  error: 'invalid_request',
  message: message('invalid_parameter'),
};

const FAILURES: Readonly<Record<FaultCode, TextFailure>> = {
  not_accepted: UNAVAILABLE,
  rate_limited: UNAVAILABLE,
  operator: UNAVAILABLE,
  cannot_carry: REJECTED,
  bad_request: REJECTED,
  content_policy: { ...REJECTED, message: message('content_policy') },
  upstream_fault: BROKEN,
  generation_failed: BROKEN,
  outcome_unknown: BROKEN,
};

/** The time to wait before a retry, if the vendor named none. */
const RETRY_AFTER_SECONDS = 5;
const MAX_RETRY_AFTER_SECONDS = 3600;

export function failureReason(fault: Fault | undefined): TaskFailureReason {
  return fault === undefined ? 'no_upstream' : reasonOf(fault);
}

/** The error for a fault; without a fault there was no channel to ask. */
export function textError(fault: Fault | undefined): GatewayError {
  const { error, message: usual } = fault === undefined ? UNAVAILABLE : FAILURES[fault.code];
  const internal =
    fault === undefined ? 'no channel that takes the model is in order and has room' : `${fault.code}: ${fault.detail}`;
  const seconds = Math.ceil((fault?.retryAfterMs ?? RETRY_AFTER_SECONDS * 1000) / 1000);
  const waits = error === 'unavailable' ? { retryAfterSeconds: Math.min(seconds, MAX_RETRY_AFTER_SECONDS) } : {};
  const shown = error === 'invalid_request' ? (fault?.message ?? usual) : usual;
  return new GatewayError(error, shown, {
    reason: failureReason(fault),
    param: fault?.param,
    internal,
    ...waits,
  });
}
