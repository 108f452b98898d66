/**
 * What can go wrong at an upstream, in the few words the rest of the system needs. Adapters translate a vendor's many
 * signals into these; the table says what follows, so no code switches on a fault.
 *
 * - `nextChannel`: the task moves on to another channel, or waits and tries again, under the same reservation.
 * - `breaker`: counts against the channel's circuit breaker.
 * - `everyTime`: the same channel would say the same again, so where no other takes it the task ends at once.
 * - `quarantine`: the upstream may have done (and billed) the work; the attempt is kept for the operator, never re-sent.
 */
export const FAULT_TABLE = {
  /** Nothing reached the vendor: refused, unknown host, TLS failure, 503 before acceptance. */
  not_accepted: { nextChannel: true, breaker: true, everyTime: false, quarantine: false },
  rate_limited: { nextChannel: true, breaker: false, everyTime: false, quarantine: false },
  /** The vendor answered that it failed, so nothing was produced. */
  upstream_fault: { nextChannel: true, breaker: true, everyTime: false, quarantine: false },
  /** Our account with the vendor: key, permission, money. */
  operator: { nextChannel: true, breaker: true, everyTime: false, quarantine: false },
  /** The channel has no way to do what this request asks for, as its protocol or a path that is not there tells; others it has. */
  cannot_carry: { nextChannel: true, breaker: false, everyTime: true, quarantine: false },
  bad_request: { nextChannel: false, breaker: false, everyTime: false, quarantine: false },
  content_policy: { nextChannel: false, breaker: false, everyTime: false, quarantine: false },
  /** The vendor ended an accepted job without a result for a reason of its own. */
  generation_failed: { nextChannel: false, breaker: false, everyTime: false, quarantine: false },
  /** Sent, and the answer was lost or cannot be read. */
  outcome_unknown: { nextChannel: false, breaker: true, everyTime: false, quarantine: true },
} as const;

export type FaultCode = keyof typeof FAULT_TABLE;

export interface Fault {
  code: FaultCode;
  /** Fit for the caller: no vendor name, host, key, balance or raw body. Absent: the code's standard message. */
  publicMessage?: string;
  /** For operators and logs; never secrets, prompts or whole bodies. At most 500 characters. */
  detail: string;
  /** The vendor's own Retry-After, in milliseconds. */
  retryAfterMs?: number;
}

/** The platform's own messages of failed tasks. Translation files carry each of them. */
export const TASK_FAILURE_MESSAGES = {
  no_upstream: 'No available upstream. Please try again later.',
  content_policy: 'The request was rejected by the content policy of the model.',
  bad_request: 'The model rejected the request parameters.',
  generation_failed: 'The model could not complete the generation.',
  outcome_unknown: 'The generation was interrupted and its outcome is unknown. You were not charged.',
  timeout: 'Task timeout',
  result_unavailable: 'The result of the generation could not be retrieved.',
  media_unavailable: 'An input file could not be used.',
  caller_left: 'The caller left before the model had begun to answer.',
  internal: 'The task could not be completed.',
  canceled_by_operator: 'The task was canceled by the operator.',
} as const;

export type TaskFailureReason = keyof typeof TASK_FAILURE_MESSAGES;
