import type { RecordedTask, TaskId } from '@mediagate/contracts';
import type { SharedStatement, Statement, Whether } from '../../statement';
import { RECORD_COLUMNS } from '../tasks/task-row';

/** A delivery that this process may work on until its lease ends. Every later write carries the fence. */
export interface ClaimedDelivery {
  id: string;
  taskId: TaskId;
  accountId: string;
  /** The base URL as the caller gave it. */
  url: string;
  /** Null before the first attempt. */
  body: string | null;
  attemptsMade: number;
  fence: number;
  /** Secrets valid now, the current one first. Never to be logged. */
  secrets: string[];
  /** Milliseconds since it was due, by the database's clock. */
  overdueMs: number;
  /** The trace context of its task's submission. */
  traceContext: string | null;
}

/** Proves that a delivery is still claimed by this process. */
export type DeliveryClaim = Pick<ClaimedDelivery, 'id' | 'fence'>;

/**
 * Written so that no partial index matches, which leaves the primary key: the planner plans once, and a plan over the index
 * of pending deliveries, chosen while there were few, would read the whole backlog for every later batch.
 */
export const IS_PENDING = `(d.state <> 'pending') is not true`;

/**
 * The delivery is due, and nobody has it. Times are stored rounded to a millisecond, so a due row may be up to one millisecond in the
 * future.
 */
const MAY_BE_HAD = `(d.next_attempt_at <= now() + interval '1 millisecond' and (d.lease_until is null or d.lease_until <= now()))`;

/** Secrets valid now, the current one first, of the account `a`. */
const SIGNING_SECRETS = `
  array_remove(array[a.webhook_secret, case when a.webhook_secret_retires_at > now() then a.previous_webhook_secret end], null)`;

interface ReadRow extends Omit<ClaimedDelivery, 'id' | 'taskId' | 'accountId' | 'fence'> {
  deliveryId: string;
  ofTask: ClaimedDelivery['taskId'];
  ofAccount: string;
  deliveryFence: number;
}

export type DeliveryToAttempt = ReadRow & { [Name in keyof RecordedTask]: RecordedTask[Name] | null };

/** Reads a delivery that can be claimed, without a claim: one that does nothing else would cost a flush of the log. */
export const readDeliveryToAttempt: SharedStatement<[id: string], DeliveryToAttempt> = {
  text: `
select d.id as "deliveryId", d.task_id as "ofTask", d.account_id as "ofAccount", d.url, d.body, d.attempts_made as "attemptsMade",
  d.fence as "deliveryFence", ${SIGNING_SECRETS} as "secrets",
  (extract(epoch from now() - d.next_attempt_at) * 1000)::float8 as "overdueMs", d.trace_context as "traceContext",
  ${RECORD_COLUMNS}
from webhook_deliveries d
join accounts a on a.id = d.account_id
left join tasks t on t.id = d.task_id and d.body is null
where d.id = any($1::text[]) and ${IS_PENDING} and ${MAY_BE_HAD}`,
  values: (calls) => [calls.map(([id]) => id)],
  shared: { tally: 'delivery_reads', callId: (id) => id, rowId: ({ deliveryId }) => deliveryId },
};

/**
 * Takes a due delivery for this process. No row: it has ended, is not due yet, or is leased. Of several callers, one gets it. Rows are locked
 * in the order of their ids here and below, so that two processes never deadlock.
 */
export const claimDelivery: SharedStatement<[id: string, leaseMs: number], ClaimedDelivery> = {
  text: `
with due as materialized (
  select d.id from webhook_deliveries d
  where d.id = any($1::text[]) and ${IS_PENDING} and ${MAY_BE_HAD}
  order by d.id for update
)
update webhook_deliveries d
set fence = next_fence(d.fence), lease_until = now() + $2::float8 * interval '1 millisecond'
from due, accounts a
where d.id = due.id and a.id = d.account_id
returning d.id, d.task_id as "taskId", d.account_id as "accountId", d.url, d.body, d.attempts_made as "attemptsMade", d.fence, ${SIGNING_SECRETS} as "secrets",
  (extract(epoch from now() - d.next_attempt_at) * 1000)::float8 as "overdueMs", d.trace_context as "traceContext"`,
  values: (calls) => [calls.map(([id]) => id), Math.max(...calls.map(([, leaseMs]) => leaseMs))],
  shared: { tally: 'delivery_claims', callId: (id) => id, rowId: ({ id }) => id, once: true },
};

/** One batch may hold a lapsed claim of a delivery beside the present one, so the id alone is no key. */
function claimKey({ id, fence }: DeliveryClaim): string {
  return `${id} ${fence}`;
}

export interface StartedAttempt {
  /** Number among all attempts of the delivery, those of a redelivery included. */
  number: number;
  /** Attempts of the present series, this one counted. */
  attemptsMade: number;
  /** The stored bytes: what the first attempt sent, every later one sends. */
  body: string;
  /** The start by the database's clock. */
  startedAt: Date;
  /** The fence of the claim that the attempt is under. */
  fence: number;
}

export interface AttemptStart {
  /** The body is kept only if the delivery has none yet. */
  body: string;
  /** The lease for this attempt; longer than its time limit. */
  leaseMs: number;
  /** When the delivery is due again should the outcome never be recorded. */
  retryIfLostMs: number;
}

/** An attempt under a claim, or under the one that begins with it. */
export interface AttemptToStart extends AttemptStart {
  id: string;
  /** The claim's fence, or the fence as it was read. */
  fence: number;
  /** The same: whoever was frozen between must not add one to what another has counted. */
  attemptsMade: number;
  /** False: nobody has claimed it, and the attempt does. */
  isClaimed: boolean;
}

/**
 * Counts an attempt and stores its body before anything is sent: if the process dies between sending and recording, the row alone leads to a
 * repetition with the same bytes and id, and never to more requests than the schedule allows. Only the fence guards it, not the lease: a lease
 * that has lapsed unclaimed is extended. No row: another process has claimed the delivery since, or it is not as it was read any more, so
 * nothing may be sent. One that is named twice under the same fence is started once.
 */
export const startDeliveryAttempt: SharedStatement<
  [start: AttemptToStart],
  StartedAttempt & { id: string; startedFrom: number }
> = {
  text: `
with item as materialized (
  select * from unnest($1::text[], $2::int[], $3::text[], $4::float8[], $5::float8[], $6::boolean[], $7::int[])
    as i(id, fence, body, lease_ms, retry_if_lost_ms, is_claimed, attempts_made)
),
ours as materialized (
  select i.*, d.fence as present_fence, ${MAY_BE_HAD} as may_be_had from webhook_deliveries d join item i on i.id = d.id
  where ${IS_PENDING}
  order by d.id for update of d
),
delivery as (
  update webhook_deliveries d
  set attempts_made = d.attempts_made + 1, body = coalesce(d.body, o.body), fence = case when o.is_claimed then d.fence else next_fence(d.fence) end,
    lease_until = now() + o.lease_ms * interval '1 millisecond',
    next_attempt_at = now() + o.retry_if_lost_ms * interval '1 millisecond'
  from ours o
  where d.id = o.id and o.present_fence = o.fence and d.attempts_made = o.attempts_made and (o.is_claimed or o.may_be_had)
  returning d.id, d.fence, o.fence as started_from, d.attempts_made, d.body,
    1 + coalesce((select max(a.number) from webhook_attempts a where a.delivery_id = d.id), 0) as number
),
attempt as (
  insert into webhook_attempts (delivery_id, number, started_at) select id, number, now()::timestamptz(3) from delivery
)
select id, fence, started_from as "startedFrom", number, now()::timestamptz(3) as "startedAt",
  attempts_made as "attemptsMade", body
from delivery`,
  values: (calls) => [
    calls.map(([{ id }]) => id),
    calls.map(([{ fence }]) => fence),
    calls.map(([{ body }]) => body),
    calls.map(([{ leaseMs }]) => leaseMs),
    calls.map(([{ retryIfLostMs }]) => retryIfLostMs),
    calls.map(([{ isClaimed }]) => isClaimed),
    calls.map(([{ attemptsMade }]) => attemptsMade),
  ],
  shared: {
    tally: 'delivery_starts',
    callId: claimKey,
    rowId: ({ id, startedFrom }) => claimKey({ id, fence: startedFrom }),
    once: true,
  },
};

export interface AttemptResult extends DeliveryClaim {
  number: number;
  httpStatus: number | null;
  error: string | null;
  excerpt: string | null;
  /** The delivery's state from now on. */
  state: string;
  reason: string | null;
  retryAfterMs: number | null;
}

/**
 * Ends an attempt and moves its delivery on, by the database's clock. The attempt's own row is written even by a process that lost the delivery
 * meanwhile, as evidence of what was sent; the delivery's state only under the fence. A row: it was moved. An outcome that is lost means a
 * callback sent twice.
 */
export const recordDeliveryAttempt: Whether<SharedStatement<[result: AttemptResult], DeliveryClaim>> = {
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
  select i.*, d.fence as present_fence from webhook_deliveries d join item i on i.id = d.id
  where ${IS_PENDING}
  order by d.id for update of d
)
update webhook_deliveries d
set state = o.state, reason = o.reason, lease_until = null,
  next_attempt_at = now() + o.retry_after_ms * interval '1 millisecond',
  ended_at = case when o.state = 'pending' then null else now() end
from ours o
where d.id = o.id and o.present_fence = o.fence
returning d.id, d.fence`,
  values: (calls) => [
    calls.map(([{ id }]) => id),
    calls.map(([{ fence }]) => fence),
    calls.map(([{ number }]) => number),
    calls.map(([{ httpStatus }]) => httpStatus),
    calls.map(([{ error }]) => error),
    calls.map(([{ excerpt }]) => excerpt),
    calls.map(([{ state }]) => state),
    calls.map(([{ reason }]) => reason),
    calls.map(([{ retryAfterMs }]) => retryAfterMs),
  ],
  shared: { tally: 'delivery_records', callId: claimKey, rowId: claimKey, isRetried: true },
  asksWhether: true,
};

export type DeliveryEnd = { state: 'dropped' | 'exhausted'; reason: string };

/** Ends a delivery without a request. No row: it was claimed, or an attempt was made under a claim that has lapsed, since it was read. */
export const endDelivery: Statement<
  [read: DeliveryClaim & { attemptsMade: number }, end: DeliveryEnd],
  { id: string }
> = {
  text: `
update webhook_deliveries d
set state = $3, reason = $4, ended_at = now(), next_attempt_at = null, lease_until = null
where d.id = $1 and d.fence = $2 and d.attempts_made = $5 and ${IS_PENDING}
returning d.id`,
  values: ({ id, fence, attemptsMade }, { state, reason }) => [id, fence, state, reason, attemptsMade],
};
