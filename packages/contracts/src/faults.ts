import type { Reason } from './reasons';

interface FaultEntry {
  nextChannel: boolean;
  breaker: boolean;
  everyTime: boolean;
  quarantine: boolean;
  reason: TaskFailureReason;
}

/**
 * What can go wrong at an upstream, in the few words the rest of the system needs. Adapters translate a vendor's many
 * signals into these; the table says what follows, so no code switches on a fault.
 *
 * - `nextChannel`: the task moves on to another channel, or waits and tries again, under the same reservation.
 * - `breaker`: counts against the channel's circuit breaker.
 * - `everyTime`: the same channel would say the same again, so where no other takes it the task ends at once.
 * - `quarantine`: the upstream may have done (and billed) the work; the attempt is kept for the operator, never re-sent.
 * - `reason`: why a task failed that this fault was the end of, where the fault itself names none.
 */
export const FAULT_TABLE = {
  /** Nothing reached the vendor: refused, unknown host, TLS failure, 503 before acceptance. */
  not_accepted: { nextChannel: true, breaker: true, everyTime: false, quarantine: false, reason: 'no_upstream' },
  rate_limited: { nextChannel: true, breaker: false, everyTime: false, quarantine: false, reason: 'no_upstream' },
  /** The vendor answered that it failed, so nothing was produced. */
  upstream_fault: { nextChannel: true, breaker: true, everyTime: false, quarantine: false, reason: 'no_upstream' },
  /** Our account with the vendor: key, permission, money. */
  operator: { nextChannel: true, breaker: true, everyTime: false, quarantine: false, reason: 'no_upstream' },
  /** The channel has no way to do what this request asks for, as its protocol or a path that is not there tells; others it has. */
  cannot_carry: { nextChannel: true, breaker: false, everyTime: true, quarantine: false, reason: 'invalid_parameter' },
  bad_request: { nextChannel: false, breaker: false, everyTime: false, quarantine: false, reason: 'invalid_parameter' },
  content_policy: { nextChannel: false, breaker: false, everyTime: false, quarantine: false, reason: 'content_policy' },
  /** The vendor ended an accepted job without a result for a reason of its own. */
  generation_failed: {
    nextChannel: false,
    breaker: false,
    everyTime: false,
    quarantine: false,
    reason: 'upstream_error',
  },
  /** Sent, and the answer was lost or cannot be read. */
  outcome_unknown: { nextChannel: false, breaker: true, everyTime: false, quarantine: true, reason: 'outcome_unknown' },
} as const satisfies Readonly<Record<string, FaultEntry>>;

export type FaultCode = keyof typeof FAULT_TABLE;

export interface Fault {
  code: FaultCode;
  /** Fit for the caller: no vendor name, host, key, balance or raw body. Absent: the code's standard message. */
  publicMessage?: string;
  /** Where it is more than the code says; absent: the code's. */
  reason?: TaskFailureReason;
  /** The caller's name of the field that the vendor blames. */
  param?: string;
  /** For operators and logs; never secrets, prompts or whole bodies. At most 500 characters. */
  detail: string;
  /** The vendor's own Retry-After, in milliseconds. */
  retryAfterMs?: number;
}

/** Why a task failed whose upstream gave this fault. */
export function reasonOf({
  code,
  reason = FAULT_TABLE[code].reason,
}: Pick<Fault, 'code' | 'reason'>): TaskFailureReason {
  return reason;
}

/** The reasons that a task fails for, with the platform's own message of each. Translation files carry all of them. */
export const TASK_FAILURE_MESSAGES = {
  no_upstream: 'No available upstream. Please try again later.',
  content_policy: 'The request was rejected by the content policy of the model.',
  invalid_parameter: 'The model rejected the request parameters.',
  upstream_error: 'The model could not complete the generation.',
  outcome_unknown: 'The generation was interrupted and its outcome is unknown. You were not charged.',
  timeout: 'Task timeout',
  result_unavailable: 'The result of the generation could not be retrieved.',
  bad_media: 'An input file could not be used.',
  caller_left: 'The caller left before the model had begun to answer.',
  internal_error: 'The task could not be completed.',
  cancelled: 'The task was canceled by the operator.',
} as const satisfies Partial<Record<Reason, string>>;

export type TaskFailureReason = keyof typeof TASK_FAILURE_MESSAGES;

export function isTaskFailureReason(value: unknown): value is TaskFailureReason {
  return typeof value === 'string' && Object.hasOwn(TASK_FAILURE_MESSAGES, value);
}
