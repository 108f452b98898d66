import type { TaskId } from '@mediagate/contracts';
import type { Statement } from '../../statement';
import { change, noteOf, withNote } from '../identity/note';

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
export const MAY_BE_HAD = `(d.next_attempt_at <= now() + interval '1 millisecond' and (d.lease_until is null or d.lease_until <= now()))`;

/** Secrets valid now, the current one first, of the account `a`. */
export const SIGNING_SECRETS = `
  array_remove(array[a.webhook_secret, case when a.webhook_secret_retires_at > now() then a.previous_webhook_secret end], null)`;

// Rows are locked in the order of their ids here and below, so that two processes never deadlock.
export const claimDeliveries: Statement<[ids: readonly string[], leaseMs: number], ClaimedDelivery> = {
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
  values: (ids, leaseMs) => [ids, leaseMs],
};

/** How much too early a job may come, by clocks that differ, and be put off; later attempts are found when they are due. */
const LONG_EARLY_SECONDS = 60;

export interface EarlyDelivery {
  attemptsMade: number;
  waitMs: number;
}

/** A row: the delivery is nobody's and not due yet, but will be soon. */
export const findEarlyDelivery: Statement<[id: string], EarlyDelivery> = {
  text: `
select d.attempts_made as "attemptsMade", (extract(epoch from d.next_attempt_at - now()) * 1000)::float8 as "waitMs"
from webhook_deliveries d
where d.id = $1 and ${IS_PENDING} and (d.lease_until is null or d.lease_until <= now())
  and d.next_attempt_at > now() and d.next_attempt_at < now() + interval '${LONG_EARLY_SECONDS} seconds'`,
  values: (id) => [id],
};

export interface DeliveryEnd {
  state: 'dropped' | 'exhausted';
  reason: string;
}

/** Ends a delivery without a request. No row: the claim was no longer ours, and nothing changed. */
export const endDelivery: Statement<[claim: DeliveryClaim, end: DeliveryEnd], { id: string }> = {
  text: `
update webhook_deliveries d
set state = $3, reason = $4, ended_at = now(), next_attempt_at = null, lease_until = null
where d.id = $1 and d.fence = $2 and ${IS_PENDING}
returning d.id`,
  values: ({ id, fence }, { state, reason }) => [id, fence, state, reason],
};

export const releaseDeliveries: Statement<[claims: readonly DeliveryClaim[]], { id: string }> = {
  text: `
update webhook_deliveries d
set lease_until = null
from unnest($1::text[], $2::int[]) as c(id, fence)
where d.id = c.id and d.fence = c.fence and ${IS_PENDING}
returning d.id`,
  values: (claims) => [claims.map(({ id }) => id), claims.map(({ fence }) => fence)],
};

const TODAY = `(now() at time zone 'utc')::date`;
const REDELIVERED_TODAY = `case when d.caller_redelivered_on = ${TODAY} then d.caller_redeliveries else 0 end`;

/** @param dailyLimit a parameter: how often an account may have one sent again on one day; null: an operator asks. */
export function isWithinLimit(dailyLimit: string): string {
  return `(${dailyLimit}::int is null or ${REDELIVERED_TODAY} < ${dailyLimit})`;
}

/** Makes an ended delivery due at once, with the full schedule; it is counted if its account asks. */
export function dueAgain(dailyLimit: string): string {
  return `
  set state = 'pending', reason = null, attempts_made = 0, fence = next_fence(d.fence), lease_until = null,
    next_attempt_at = now(), ended_at = null,
    caller_redelivered_on = case when ${dailyLimit}::int is null then d.caller_redelivered_on else ${TODAY} end,
    caller_redeliveries = case when ${dailyLimit}::int is null then d.caller_redeliveries else ${REDELIVERED_TODAY} + 1 end`;
}

/**
 * No row: there is none, it is still being tried, or its account had it sent again as often as it may today. `after.fence` is that of
 * the new series.
 */
export const redeliver = change<[id: string, dailyLimit: number | null]>({
  text: withNote(`
old as materialized (
  select d.id, d.state, d.reason from webhook_deliveries d
  where d.id = $2 and d.state <> 'pending' and ${isWithinLimit('$3')} for update
),
new as (
  update webhook_deliveries d ${dueAgain('$3')}
  from old where d.id = old.id
  returning d.id, d.state, d.reason, d.fence
),
changed as (
  select new.id as subject, to_jsonb(old) - 'id' as before, to_jsonb(new) - 'id' as after from new join old on old.id = new.id
)`),
  values: (id, dailyLimit, request) => [noteOf('webhook.redeliver', request), id, dailyLimit],
});

/** How often its account had it sent again today. No row: there is no such delivery. */
export const countRedeliveries: Statement<[id: string], { count: number }> = {
  text: `select ${REDELIVERED_TODAY} as count from webhook_deliveries d where d.id = $1`,
  values: (id) => [id],
};

/**
 * Ends a pending delivery without another request. One that is under way is still recorded, and changes nothing any more. No
 * row: there is none, or it has ended.
 */
export const cancelDelivery = change<[id: string]>({
  text: withNote(`
old as materialized (
  select d.id, d.state, d.reason, d.attempts_made from webhook_deliveries d where d.id = $2 and ${IS_PENDING} for update
),
new as (
  update webhook_deliveries d
  set state = 'dropped', reason = 'cancelled_by_operator', fence = next_fence(d.fence), lease_until = null, next_attempt_at = null, ended_at = now()
  from old where d.id = old.id
  returning d.id, d.state, d.reason, d.attempts_made
),
changed as (
  select new.id as subject, to_jsonb(old) - 'id' as before, to_jsonb(new) - 'id' as after from new join old on old.id = new.id
)`),
  values: (id, request) => [noteOf('webhook.cancel', request), id],
});
