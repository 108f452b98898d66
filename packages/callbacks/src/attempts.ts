import {
  type AttemptResult,
  type AttemptStart,
  type AttemptToStart,
  type ClaimedDelivery,
  type Database,
  type DeliveryClaim,
  retrySafely,
  type StartedAttempt,
} from '@mediagate/database';
import type { AttemptOutcome, Verdict } from './retry-schedule';

/**
 * Counts an attempt and stores its body before anything is sent: if the process dies between sending and recording, the row
 * alone leads to a repetition with the same bytes and id, and never to more requests than the schedule allows.
 *
 * Only the fence guards it, not the lease: a lease that has lapsed unclaimed is extended. Undefined: another process has
 * claimed the delivery since, so nothing may be sent.
 */
export async function startAttempt(
  database: Database,
  claim: Pick<ClaimedDelivery, 'id' | 'fence' | 'attemptsMade'>,
  start: AttemptStart,
): Promise<StartedAttempt | undefined> {
  const { id, fence, attemptsMade } = claim;
  const started = await startAttempts(database, [{ ...start, id, fence, attemptsMade, isClaimed: true }]);
  return started.get(claimKey(claim));
}

/** One batch may hold a lapsed claim of a delivery beside the present one, so the id alone is no key. */
export function claimKey({ id, fence }: DeliveryClaim): string {
  return `${id} ${fence}`;
}

/** Starts so many attempts; answers by `claimKey`, of the fence that each was to start from, with those that did. */
export async function startAttempts(
  database: Database,
  starts: readonly AttemptToStart[],
): Promise<Map<string, StartedAttempt>> {
  const rows = await database.startDeliveryAttempts(starts);
  return new Map(rows.map(({ id, startedFrom, ...started }) => [claimKey({ id, fence: startedFrom }), started]));
}

export interface AttemptRecord {
  number: number;
  outcome: AttemptOutcome;
  /** First characters of the answer, printable; for the operator only. */
  excerpt?: string;
  verdict: Verdict;
}

/**
 * Ends an attempt and moves its delivery on, from the database's clock. The attempt's own row is written even by a process
 * that lost the delivery meanwhile, as evidence of what was sent; the delivery's state only under the fence. Tried again
 * when the database hesitates, because an outcome that is lost means a callback sent twice.
 *
 * @returns whether the delivery was moved
 */
export async function recordAttempt(database: Database, claim: DeliveryClaim, record: AttemptRecord): Promise<boolean> {
  const moved = await recordAttempts(database, [{ ...record, id: claim.id, fence: claim.fence }]);
  return moved.has(claimKey(claim));
}

/** Ends attempts of so many claims, each named once; answers by `claimKey` with those whose delivery was moved. */
export async function recordAttempts(
  database: Database,
  records: readonly (DeliveryClaim & AttemptRecord)[],
): Promise<Set<string>> {
  const rows = await retrySafely(() => database.recordDeliveryAttempts(records.map(toResult)));
  return new Set(rows.map(claimKey));
}

function toResult({ id, fence, number, outcome, excerpt, verdict }: DeliveryClaim & AttemptRecord): AttemptResult {
  return {
    id,
    fence,
    number,
    httpStatus: outcome.kind === 'answered' ? outcome.status : null,
    error: errorOf(outcome),
    excerpt: excerpt ?? null,
    state: verdict.state,
    reason: verdict.state === 'delivered' ? null : verdict.reason,
    retryAfterMs: verdict.state === 'pending' ? verdict.retryAfterMs : null,
  };
}

function errorOf(outcome: AttemptOutcome): string | null {
  if (outcome.kind === 'answered') return null;
  return outcome.detail === undefined ? outcome.reason : `${outcome.reason}: ${outcome.detail}`;
}
