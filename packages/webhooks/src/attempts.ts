import { type Database, retrySafely } from '@mediagate/database';
import type { ClaimedDelivery } from './deliveries';
import type { AttemptOutcome, Verdict } from './retry-schedule';

export interface StartedAttempt {
  /** Number among all attempts of the delivery, those of a redelivery included. */
  number: number;
  /** Attempts of the present series, this one counted. */
  attemptsMade: number;
  /** The stored bytes: what the first attempt sent, every later one sends. */
  body: string;
  /** By the database's clock. */
  startedAt: Date;
}

export interface AttemptStart {
  /** Kept only if the delivery has none yet. */
  body: string;
  /** The lease for this attempt; longer than its time limit. */
  leaseMs: number;
  /** When the delivery is due again should the outcome never be recorded. */
  retryIfLostMs: number;
}

/**
 * Counts an attempt and keeps its body, before anything is sent: should the process die between sending and recording, the
 * row alone leads to a repetition with the same bytes and id, and never to more requests than the schedule allows.
 *
 * The fence alone guards it, not the lease: a lease that ran out unclaimed is simply taken up again. Undefined: somebody
 * else has claimed the delivery since, so nothing may be sent.
 */
export async function startAttempt(
  database: Database,
  claim: Pick<ClaimedDelivery, 'id' | 'fence'>,
  start: AttemptStart,
): Promise<StartedAttempt | undefined> {
  const values = [claim.id, claim.fence, start.body, start.leaseMs, start.retryIfLostMs];
  const [started] = await database.query<StartedAttempt>(START, values);
  return started;
}

const START = {
  name: 'webhooks.start-attempt',
  text: `
with delivery as (
  update webhook_deliveries
  set attempts_made = attempts_made + 1, body = coalesce(body, $3),
    lease_until = now() + $4::float8 * interval '1 millisecond',
    next_attempt_at = now() + $5::float8 * interval '1 millisecond'
  where id = $1 and fence = $2 and state = 'pending'
  returning id, attempts_made, body
),
attempt as (
  insert into webhook_attempts (delivery_id, number, started_at)
  select id, 1 + coalesce((select max(number) from webhook_attempts where delivery_id = $1), 0), now() from delivery
  returning number, started_at
)
select a.number, a.started_at as "startedAt", d.attempts_made as "attemptsMade", d.body from attempt a, delivery d`,
};

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
export async function recordAttempt(
  database: Database,
  claim: Pick<ClaimedDelivery, 'id' | 'fence'>,
  record: AttemptRecord,
): Promise<boolean> {
  const { outcome, verdict } = record;
  const values = [
    claim.id,
    claim.fence,
    record.number,
    outcome.kind === 'answered' ? outcome.status : null,
    errorOf(outcome),
    record.excerpt ?? null,
    verdict.state,
    verdict.state === 'delivered' ? null : verdict.reason,
    verdict.state === 'pending' ? verdict.retryAfterMs : null,
  ];
  const rows = await retrySafely(() => database.query(RECORD, values));
  return rows.length === 1;
}

function errorOf(outcome: AttemptOutcome): string | null {
  if (outcome.kind === 'answered') return null;
  return outcome.detail === undefined ? outcome.reason : `${outcome.reason}: ${outcome.detail}`;
}

const RECORD = {
  name: 'webhooks.record-attempt',
  text: `
with attempt as (
  update webhook_attempts
  set ended_at = now(), http_status = $4, error = $5, excerpt = $6
  where delivery_id = $1 and number = $3 and ended_at is null
)
update webhook_deliveries
set state = $7, reason = $8, lease_until = null,
  next_attempt_at = now() + $9::float8 * interval '1 millisecond',
  ended_at = case when $7 = 'pending' then null else now() end
where id = $1 and fence = $2 and state = 'pending'
returning id`,
};
