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
import { refused } from './vendor-call';

const FIRST_CHECK_MS = 3_000;
const MAX_CHECK_SECONDS = 10;
/** Of a job's age: what is known to be done late is late by at most this share of the time that it took. */
const CHECK_SHARE = 1 / 6;

/**
 * When to ask about a job that was accepted at `since` (milliseconds since 1970): soon while it is young, every 10 seconds
 * or `max_check_seconds` of the channel when it is old. The runtime spreads it.
 */
export function checkAfterMs(since: number, { options }: Endpoint): number {
  const longest = options['max_check_seconds'];
  const maxMs = (typeof longest === 'number' ? longest : MAX_CHECK_SECONDS) * 1000;
  const wanted = Math.max(FIRST_CHECK_MS, Math.round((Date.now() - since) * CHECK_SHARE));
  return Math.min(wanted, maxMs);
}

/** What every saved operation has: when the vendor accepted the job, in milliseconds since 1970. */
export type Job = JsonObject & { since: number; emptySuccesses?: number };

export function accepted(
  externalId: string,
  operation: Job,
  { endpoint, requestId }: { endpoint: Endpoint; requestId: string | undefined },
): Started {
  return present<Started>({
    kind: 'started',
    externalId,
    operation,
    checkAfterMs: checkAfterMs(operation.since, endpoint),
    requestIds: requestId === undefined ? undefined : [requestId],
  });
}

/** A word for a state that is not known here leaves the task in the state it has. */
export function pending(phase: Pending['phase'] | undefined, since: number, endpoint: Endpoint): Pending {
  return { kind: 'pending', phase: phase ?? 'queued', checkAfterMs: checkAfterMs(since, endpoint) };
}

/**
 * The vendor would not answer a question about a job. That the question was refused as a bad one says nothing about the
 * job, which would be ended by that word; that the job offends a policy does.
 */
export function unanswered(fault: Fault, requestId: string | undefined): Refused {
  const { code, detail, retryAfterMs } = fault;
  const said = code === 'bad_request' ? 'upstream_fault' : code;
  return refused(present<Fault>({ code: said, publicMessage: undefined, detail, retryAfterMs }), [requestId]);
}

/**
 * The start of a later stage was refused, within a check: what sends a first start on to another channel does so here too.
 * A fault of the request still ends the task, and where the answer was lost the next check must find out.
 */
export function laterStart(refusal: Refused): Refused | NotStarted {
  return FAULT_TABLE[refusal.fault.code].nextChannel ? { ...refusal, kind: 'not_started' } : refusal;
}

/** Successes without a result that a job may answer before it has failed: files and links may come a moment late. */
const EMPTY_SUCCESSES_MAX = 10;

/**
 * What a job that has ended well gave. Without anything that can be read it is asked about again, for so many answers; then
 * the task fails and is refunded, and does not wait for its deadline.
 */
export function withResult(read: CheckOutcome, job: Job, endpoint: Endpoint): CheckOutcome {
  if (read.kind !== 'refused' || read.fault.code !== 'outcome_unknown') return read;
  const emptySuccesses = (job.emptySuccesses ?? 0) + 1;
  if (emptySuccesses < EMPTY_SUCCESSES_MAX) {
    return { ...pending('running', job.since, endpoint), operation: { ...job, emptySuccesses } };
  }
  const detail = `${emptySuccesses} answers in a row: ${read.fault.detail}`;
  return refused({ code: 'generation_failed', detail }, read.requestIds);
}

/** The vendor ended the job without a result. Whatever its reason, asking again would give the same answer. */
export function ended(fault: Fault, requestId: string | undefined): Refused {
  const known = fault.code === 'content_policy' || fault.code === 'bad_request';
  return refused(known ? fault : { code: 'generation_failed', detail: fault.detail }, [requestId]);
}
