import type { TaskId } from '@mediagate/contracts';
import type { Statement } from '../../statement';
import { type ChangedRow, type ChangeRequest, noteOf, withNote } from '../operators/note';

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
  /** Of its task's submission. */
  traceContext: string | null;
}

/** Proves that a delivery is still claimed by this process. */
export type DeliveryClaim = Pick<ClaimedDelivery, 'id' | 'fence'>;

/**
 * Written so that no partial index matches, which leaves the primary key: the planner plans once, and a plan over the index
 * of pending deliveries, chosen while there were few, would read the whole backlog for every later batch.
 */
export const IS_PENDING = `(d.state <> 'pending') is not true`;

// Times are stored rounded to a millisecond, so a due row may be up to one millisecond in the future.
// Rows are locked in the order of their ids here and below, so that two processes never deadlock.
export const claimDeliveries: Statement<[ids: readonly string[], leaseMs: number], ClaimedDelivery> = {
  text: `
with due as materialized (
  select d.id from webhook_deliveries d
  where d.id = any($1::text[]) and ${IS_PENDING} and d.next_attempt_at <= now() + interval '1 millisecond'
    and (d.lease_until is null or d.lease_until <= now())
  order by d.id for update
)
update webhook_deliveries d
set fence = d.fence + 1, lease_until = now() + $2::float8 * interval '1 millisecond'
from due, accounts a
where d.id = due.id and a.id = d.account_id
returning d.id, d.task_id as "taskId", d.account_id as "accountId", d.url, d.body, d.attempts_made as "attemptsMade", d.fence,
  array_remove(array[a.webhook_secret, case when a.webhook_secret_retires_at > now() then a.previous_webhook_secret end], null)
    as "secrets",
  (extract(epoch from now() - d.next_attempt_at) * 1000)::float8 as "overdueMs", d.trace_context as "traceContext"`,
  values: (ids, leaseMs) => [ids, leaseMs],
};

export interface DeliveryEnd {
  state: 'dropped' | 'exhausted';
  reason: string;
}

/** Without a request. No row: the claim was no longer ours, nothing changed. */
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

export interface DueDelivery {
  deliveryId: string;
  attemptsMade: number;
  /** Makes the job's id distinct from one of the same attempt that may still be running. */
  fence: number;
}

/** Accounts take turns. */
export const findDueDeliveries: Statement<[options: { limit: number; overdueMs: number }], DueDelivery> = {
  text: `
select id as "deliveryId", attempts_made as "attemptsMade", fence
from (
  select id, attempts_made, fence, next_attempt_at, row_number() over (partition by account_id order by next_attempt_at) as turn
  from webhook_deliveries
  where state = 'pending' and next_attempt_at <= now() - $2::float8 * interval '1 millisecond'
    and (lease_until is null or lease_until <= now())
) due
order by turn, next_attempt_at
limit $1`,
  values: ({ limit, overdueMs }) => [limit, overdueMs],
};

/** Due again with the full schedule. No row: there is none, or it is still being tried. `after.fence` is that of the new series. */
export const redeliver: Statement<[id: string, request: ChangeRequest], ChangedRow> = {
  text: withNote(`
old as materialized (
  select d.id, d.state, d.reason from webhook_deliveries d where d.id = $2 and d.state <> 'pending' for update
),
new as (
  update webhook_deliveries d
  set state = 'pending', reason = null, attempts_made = 0, fence = d.fence + 1, lease_until = null,
    next_attempt_at = now(), ended_at = null
  from old where d.id = old.id
  returning d.id, d.state, d.reason, d.fence
),
changed as (
  select new.id as subject, to_jsonb(old) - 'id' as before, to_jsonb(new) - 'id' as after from new join old on old.id = new.id
)`),
  values: (id, request) => [noteOf('webhook.redeliver', request), id],
};

/**
 * Ends a pending delivery without another request. One that is under way is still recorded, and changes nothing any more. No
 * row: there is none, or it has ended.
 */
export const cancelDelivery: Statement<[id: string, reason: string, request: ChangeRequest], ChangedRow> = {
  text: withNote(`
old as materialized (
  select d.id, d.state, d.reason, d.attempts_made from webhook_deliveries d where d.id = $2 and ${IS_PENDING} for update
),
new as (
  update webhook_deliveries d
  set state = 'dropped', reason = $3, fence = d.fence + 1, lease_until = null, next_attempt_at = null, ended_at = now()
  from old where d.id = old.id
  returning d.id, d.state, d.reason, d.attempts_made
),
changed as (
  select new.id as subject, to_jsonb(old) - 'id' as before, to_jsonb(new) - 'id' as after from new join old on old.id = new.id
)`),
  values: (id, reason, request) => [noteOf('webhook.cancel', request), id, reason],
};
