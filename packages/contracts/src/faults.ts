import { message, readMessage } from './messages/message';
import type { Message } from './messages/messages';
import type { TASK_MESSAGES } from './messages/tasks';
import type { Reason } from './reasons';

interface FaultEntry {
  nextChannel: boolean;
  breaker: boolean;
  everyTime: boolean;
  quarantine: boolean;
  reason: TaskFailureReason;
}

/**
 * The faults of upstreams, in the few words that the rest of the system needs. Adapters translate a vendor's many
 * signals into these; the table says what follows from each, so no code switches on a fault.
 *
 * - `nextChannel`: the task moves on to another channel, or waits and tries again, under the same reservation.
 * - `breaker`: counts against the channel's circuit breaker.
 * - `everyTime`: the same channel would say the same again, so where no other takes it the task ends at once.
 * - `quarantine`: the upstream may have done (and billed) the work; the attempt is kept for the operator, never re-sent.
 * - `reason`: the failure's reason for a task that this fault ends, where the fault itself names none.
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

/** Faults that end an attempt because of what its caller asked for: they say nothing of the channel. */
export const CALLERS_FAULTS = ['content_policy', 'bad_request', 'cannot_carry'] as const satisfies readonly FaultCode[];

export interface Fault {
  code: FaultCode;
  /** Fit for the caller: no vendor name, host, key, balance or raw body. Absent: the standard message of the reason. */
  message?: Message;
  /** A more exact reason than the code's; absent: the code's. */
  reason?: TaskFailureReason;
  /** The caller's name of the field that the vendor blames. */
  param?: string;
  /** For operators and logs; never secrets, prompts or whole bodies. At most 500 characters. */
  detail: string;
  /** The vendor's own Retry-After, in milliseconds. */
  retryAfterMs?: number;
  /** The vendor's charge for it all the same, as the vendor reports it, in its own credits: a plain decimal. */
  credits?: string;
  /** Only what the channel says of the model is at fault, as a name that the vendor does not have: its other models go on. */
  ofModel?: true;
  /** Only the channel's voice is at fault, as one that the vendor does not have: its other voices go on. */
  ofVoice?: true;
  /** The same channel would say the same again, and be paid again, although the code does not say so. */
  everyTime?: true;
}

/** The reason for which a task fails by this fault. */
export function reasonOf({
  code,
  reason = FAULT_TABLE[code].reason,
}: Pick<Fault, 'code' | 'reason'>): TaskFailureReason {
  return reason;
}

/** The reasons that a task fails for. Each is the key of the message for want of a more exact one. */
export const TASK_FAILURE_REASONS = [
  'no_upstream',
  'content_policy',
  'invalid_parameter',
  'upstream_error',
  'outcome_unknown',
  'timeout',
  'result_unavailable',
  'bad_media',
  'caller_left',
  'internal_error',
  'service_unavailable',
  'cancelled',
  'expired_before_start',
] as const satisfies readonly (Reason & keyof typeof TASK_MESSAGES)[];

export type TaskFailureReason = (typeof TASK_FAILURE_REASONS)[number];

export function isTaskFailureReason(value: unknown): value is TaskFailureReason {
  return TASK_FAILURE_REASONS.some((reason) => reason === value);
}

/** The message of a failure of which only the reason is known. */
export function messageOf(reason: TaskFailureReason): Message {
  return message(reason);
}

/**
 * Reads the message of a task's stored `error`, or of a failure that another process sent. Early releases, and later ones with
 * messages of their own, left only the text.
 */
export function storedMessage({ message: text, template }: { message?: unknown; template?: unknown }): Message {
  return readMessage(template) ?? message('foreign', { text: typeof text === 'string' ? text : '' });
}
