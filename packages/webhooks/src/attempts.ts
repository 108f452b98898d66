import { type Database, retrySafely } from '@mediagate/database';
import { type ClaimedDelivery, IS_PENDING } from './deliveries';
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
 * Counts an attempt and stores its body before anything is sent: if the process dies between sending and recording, the row
 * alone leads to a repetition with the same bytes and id, and never to more requests than the schedule allows.
 *
 * Only the fence guards it, not the lease: a lease that has lapsed unclaimed is extended. Undefined: another process has
 * claimed the delivery since, so nothing may be sent.
 */
export async function startAttempt(
  database: Database,
  claim: DeliveryClaim,
  start: AttemptStart,
): Promise<StartedAttempt | undefined> {
  const started = await startAttempts(database, [{ ...start, id: claim.id, fence: claim.fence }]);
  return started.get(claimKey(claim));
}

/** Proves that a delivery is still claimed by this process. */
export type DeliveryClaim = Pick<ClaimedDelivery, 'id' | 'fence'>;

/** One batch may hold a lapsed claim of a delivery beside the present one, so the id alone is no key. */
export function claimKey({ id, fence }: DeliveryClaim): string {
  return `${id} ${fence}`;
}

/** Starts attempts of so many claims, each named once; answers by `claimKey` with those that still hold. */
export async function startAttempts(
  database: Database,
  starts: readonly (DeliveryClaim & AttemptStart)[],
): Promise<Map<string, StartedAttempt>> {
  const rows = await database.query<StartedAttempt & DeliveryClaim>(START, [
    starts.map(({ id }) => id),
    starts.map(({ fence }) => fence),
    starts.map(({ body }) => body),
    starts.map(({ leaseMs }) => leaseMs),
    starts.map(({ retryIfLostMs }) => retryIfLostMs),
  ]);
  return new Map(rows.map(({ id, fence, ...started }) => [claimKey({ id, fence }), started]));
}

const START = {
  name: 'webhooks.start-attempt',
  text: `
with item as materialized (
  select * from unnest($1::text[], $2::int[], $3::text[], $4::float8[], $5::float8[])
    as i(id, fence, body, lease_ms, retry_if_lost_ms)
),
ours as materialized (
  select d.id, d.fence from webhook_deliveries d
  where d.id = any($1::text[]) and ${IS_PENDING}
  order by d.id for update
),
delivery as (
  update webhook_deliveries d
  set attempts_made = d.attempts_made + 1, body = coalesce(d.body, i.body),
    lease_until = now() + i.lease_ms * interval '1 millisecond',
    next_attempt_at = now() + i.retry_if_lost_ms * interval '1 millisecond'
  from ours o join item i on i.id = o.id and i.fence = o.fence
  where d.id = o.id
  returning d.id, d.fence, d.attempts_made, d.body
),
attempt as (
  insert into webhook_attempts (delivery_id, number, started_at)
  select d.id, 1 + coalesce((select max(a.number) from webhook_attempts a where a.delivery_id = d.id), 0), now()
  from delivery d
  returning delivery_id, number, started_at
)
select d.id, d.fence, a.number, a.started_at as "startedAt", d.attempts_made as "attemptsMade", d.body
from attempt a join delivery d on d.id = a.delivery_id`,
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
export async function recordAttempt(database: Database, claim: DeliveryClaim, record: AttemptRecord): Promise<boolean> {
  const moved = await recordAttempts(database, [{ ...record, id: claim.id, fence: claim.fence }]);
  return moved.has(claimKey(claim));
}

/** Ends attempts of so many claims, each named once; answers by `claimKey` with those whose delivery was moved. */
export async function recordAttempts(
  database: Database,
  records: readonly (DeliveryClaim & AttemptRecord)[],
): Promise<Set<string>> {
  const values = [
    records.map(({ id }) => id),
    records.map(({ fence }) => fence),
    records.map(({ number }) => number),
    records.map(({ outcome }) => (outcome.kind === 'answered' ? outcome.status : null)),
    records.map(({ outcome }) => errorOf(outcome)),
    records.map(({ excerpt }) => excerpt ?? null),
    records.map(({ verdict }) => verdict.state),
    records.map(({ verdict }) => (verdict.state === 'delivered' ? null : verdict.reason)),
    records.map(({ verdict }) => (verdict.state === 'pending' ? verdict.retryAfterMs : null)),
  ];
  const rows = await retrySafely(() => database.query<DeliveryClaim>(RECORD, values));
  return new Set(rows.map(claimKey));
}

function errorOf(outcome: AttemptOutcome): string | null {
  if (outcome.kind === 'answered') return null;
  return outcome.detail === undefined ? outcome.reason : `${outcome.reason}: ${outcome.detail}`;
}

const RECORD = {
  name: 'webhooks.record-attempt',
  text: `
with item as materialized (
  select * from unnest($1::text[], $2::int[], $3::int[], $4::int[], $5::text[], $6::text[], $7::text[], $8::text[], $9::float8[])
    as i(id, fence, number, http_status, error, excerpt, state, reason, retry_after_ms)
),
attempt as (
  update webhook_attempts a
  set ended_at = now(), http_status = i.http_status, error = i.error, excerpt = i.excerpt
  from item i
  where a.delivery_id = i.id and a.number = i.number and a.ended_at is null
),
ours as materialized (
  select d.id, d.fence from webhook_deliveries d
  where d.id = any($1::text[]) and ${IS_PENDING}
  order by d.id for update
)
update webhook_deliveries d
set state = i.state, reason = i.reason, lease_until = null,
  next_attempt_at = now() + i.retry_after_ms * interval '1 millisecond',
  ended_at = case when i.state = 'pending' then null else now() end
from ours o join item i on i.id = o.id and i.fence = o.fence
where d.id = o.id
returning d.id, d.fence`,
};
