import {
  type CheckOutcome,
  FAULT_TABLE,
  type Fault,
  type JsonObject,
  type NotStarted,
  type Pending,
  type Refused,
  type Started,
} from '@mediagate/contracts';
import type { Endpoint } from './contract';
import { present } from './json-guards';
import { refused, type VendorReply } from './vendor-call';

const FIRST_CHECK_MS = 3_000;
const MAX_CHECK_SECONDS = 10;
/** The pause between questions as a share of a job's age: the end is noticed late by at most this share of the job's time. */
const CHECK_SHARE = 1 / 6;

/**
 * When to ask about a job that was accepted at `since` (milliseconds since 1970): soon while it is young, every 10 seconds
 * or `max_check_seconds` of the channel when it is old. The runtime spreads it.
 */
export function checkAfterMs(since: number, { options }: Endpoint): number {
  const longest = options['max_check_seconds'];
  const maxMs = (typeof longest === 'number' ? longest : MAX_CHECK_SECONDS) * 1000;
  const wanted = Math.max(FIRST_CHECK_MS, Math.round(ageMs(since) * CHECK_SHARE));
  return Math.min(wanted, maxMs);
}

/** Milliseconds since a job was accepted. */
export function ageMs(since: number): number {
  return Date.now() - since;
}

/** Every saved operation says when the vendor accepted the job, in milliseconds since 1970. */
export type Job = JsonObject & {
  since: number;
  /** Successes without a result, one after the other up to the last answer, and when the first of them came. */
  emptySuccesses?: number;
  emptySince?: number;
};

/** The vendor's own id of an exchange, where it gave one. */
type Exchange = Pick<VendorReply, 'requestId'>;

export function accepted(externalId: string, operation: Job, endpoint: Endpoint, reply: Exchange = {}): Started {
  return withIdsOf<Started>([reply], {
    kind: 'started',
    externalId,
    operation,
    checkAfterMs: checkAfterMs(operation.since, endpoint),
  });
}

/** An outcome that names no exchange comes from these. */
export function withIdsOf<Outcome extends { requestIds?: readonly (string | undefined)[] }>(
  exchanges: readonly Exchange[],
  outcome: Outcome,
): Outcome {
  const requestIds = exchanges.flatMap(({ requestId }) => requestId ?? []);
  return requestIds.length === 0 || outcome.requestIds ? outcome : { ...outcome, requestIds };
}

/**
 * A word for a state that is not known here leaves the task in the state it has. A job that is under way after all begins
 * to count successes without a result anew.
 */
export function pending(phase: Pending['phase'] | undefined, job: Job, endpoint: Endpoint): Pending {
  const { emptySuccesses, emptySince, ...operation } = job;
  return present<Pending>({
    kind: 'pending',
    phase: phase ?? 'queued',
    checkAfterMs: checkAfterMs(job.since, endpoint),
    operation: emptySuccesses === undefined && emptySince === undefined ? undefined : operation,
  });
}

/**
 * The vendor would not answer a question about a job. That the question was refused as a bad one says nothing about the
 * job, which would be ended by that word; that the job offends a policy does.
 */
export function unanswered({ fault, requestId }: Exchange & { fault: Fault }): Refused {
  const { code, detail, retryAfterMs } = fault;
  const reported = code === 'bad_request' ? 'upstream_fault' : code;
  return refused(present<Fault>({ code: reported, message: undefined, detail, retryAfterMs }), [requestId]);
}

/**
 * The start of a later stage was refused, within a check: what sends a first start on to another channel does so here too.
 * A fault of the request still ends the task, and where the answer was lost the next check must find out.
 */
export function laterStart(refusal: Refused): Refused | NotStarted {
  return FAULT_TABLE[refusal.fault.code].nextChannel ? { ...refusal, kind: 'not_started' } : refusal;
}

/**
 * A job has failed when it was called done without a result so many times in a row, over so long: the vendor has been paid
 * for the work, and files and links may come minutes late. The count alone is a matter of seconds, and the time alone may
 * pass while nobody asks.
 */
const EMPTY_SUCCESSES_MIN = 10;
const EMPTY_MIN_MS = 5 * 60_000;

/** The answer of a job that is done has something else where its result was to be. */
export interface Misplaced {
  kind: 'misplaced';
  /** For operators: the places, as their configuration has them. */
  detail: string;
  /** The vendor may have delivered: nobody else is paid for it. */
  mayBeDelivered?: true;
  /** The vendor's charge for the job, in its own credits. */
  credits?: string;
  requestIds?: (string | undefined)[];
}

/** After so many such answers over so long, the answer is as the vendor means it: the configured places are wrong. */
const MISPLACED_MIN = 3;
const MISPLACED_MIN_MS = 15_000;

/**
 * The result of a job that has ended well. If nothing in it can be read, the job is asked about again, up to these bounds; then
 * the task fails and is refunded, and does not wait for its deadline.
 */
export function withResult(read: CheckOutcome | Misplaced, job: Job, endpoint: Endpoint): CheckOutcome {
  const isMisplaced = read.kind === 'misplaced';
  if (!isMisplaced && (read.kind !== 'refused' || read.fault.code !== 'outcome_unknown')) return read;
  const emptySuccesses = (job.emptySuccesses ?? 0) + 1;
  const { emptySince = Date.now() } = job;
  const emptyMs = Date.now() - emptySince;
  // What its vendor may deliver yet is waited for as long as a place that is empty.
  const [leastSuccesses, leastMs] =
    isMisplaced && !read.mayBeDelivered ? [MISPLACED_MIN, MISPLACED_MIN_MS] : [EMPTY_SUCCESSES_MIN, EMPTY_MIN_MS];
  if (emptySuccesses < leastSuccesses || emptyMs < leastMs) {
    return { ...pending('running', job, endpoint), operation: { ...job, emptySuccesses, emptySince } };
  }
  // The vendor has done the work and is paid for it: to start it there again would be to pay again.
  if (isMisplaced) {
    const { detail, credits, requestIds, mayBeDelivered } = read;
    const code = mayBeDelivered ? 'generation_failed' : 'operator';
    return laterStart(refused(present<Fault>({ code, detail, credits, everyTime: true }), requestIds));
  }
  const { detail: last, credits } = read.fault;
  const detail = `${emptySuccesses} answers in a row, over ${Math.round(emptyMs / 1000)} s: ${last}`;
  return refused(present<Fault>({ code: 'generation_failed', detail, credits }), read.requestIds);
}

/** The vendor ended the job without a result. Whatever its reason, asking again would give the same answer. */
export function ended(fault: Fault, { requestId }: Exchange = {}): Refused {
  const { code, detail, credits } = fault;
  const known = code === 'content_policy' || code === 'bad_request';
  return refused(known ? fault : present<Fault>({ code: 'generation_failed', detail, credits }), [requestId]);
}
