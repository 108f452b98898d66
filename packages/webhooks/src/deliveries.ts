import type { TaskId } from '@mediagate/contracts';
import type { Database } from '@mediagate/database';

/**
 * - `pending`: waits for an attempt, or one is under way
 * - `delivered`: answered 2xx
 * - `rejected`: answered 3xx or 4xx
 * - `exhausted`: every attempt failed
 * - `dropped`: the URL breaks the rules, nothing was sent
 */
export type DeliveryState = 'pending' | 'delivered' | 'rejected' | 'exhausted' | 'dropped';

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
}

/** Longer than anything between a claim and the start of its attempt. */
const CLAIM_LEASE_MS = 30_000;

/**
 * Takes a due delivery for this process. Undefined: it has ended, is not due yet, or is leased by another process. Of any
 * number of callers at once, one gets it.
 */
export async function claimDelivery(database: Database, deliveryId: string): Promise<ClaimedDelivery | undefined> {
  const [claimed] = await claimDeliveries(database, [deliveryId]);
  return claimed;
}

/** Takes those of the deliveries that can be had, each once however often it is named, in no particular order. */
export async function claimDeliveries(database: Database, deliveryIds: readonly string[]): Promise<ClaimedDelivery[]> {
  return await database.query<ClaimedDelivery>(CLAIM, [deliveryIds, CLAIM_LEASE_MS]);
}

/**
 * Written so that no partial index matches, which leaves the primary key: the planner plans once, and a plan over the index
 * of pending deliveries, chosen while there were few, would read the whole backlog for every later batch.
 */
export const IS_PENDING = `(d.state <> 'pending') is not true`;

// Times are stored rounded to a millisecond, so a due row may be up to one millisecond in the future.
// Rows are locked in the order of their ids here and below, so that two processes never deadlock.
const CLAIM = {
  name: 'webhooks.claim',
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
  (extract(epoch from now() - d.next_attempt_at) * 1000)::float8 as "overdueMs"`,
};

/** Ends a claimed delivery without a request. False: the claim was no longer ours, nothing changed. */
export async function endDelivery(
  database: Database,
  claim: Pick<ClaimedDelivery, 'id' | 'fence'>,
  end: { state: 'dropped' | 'exhausted'; reason: string },
): Promise<boolean> {
  const rows = await database.query(END, [claim.id, claim.fence, end.state, end.reason]);
  return rows.length === 1;
}

const END = {
  name: 'webhooks.end',
  text: `
update webhook_deliveries d
set state = $3, reason = $4, ended_at = now(), next_attempt_at = null, lease_until = null
where d.id = $1 and d.fence = $2 and ${IS_PENDING}
returning d.id`,
};

/** Gives claims back, so that others need not wait for the leases to end. */
export async function releaseDeliveries(
  database: Database,
  claims: readonly Pick<ClaimedDelivery, 'id' | 'fence'>[],
): Promise<void> {
  if (claims.length === 0) return;
  await database.query(RELEASE, [claims.map((claim) => claim.id), claims.map((claim) => claim.fence)]);
}

const RELEASE = {
  name: 'webhooks.release',
  text: `
update webhook_deliveries d
set lease_until = null
from unnest($1::text[], $2::int[]) as c(id, fence)
where d.id = c.id and d.fence = c.fence and ${IS_PENDING}
returning d.id`,
};

export interface DueDelivery {
  deliveryId: string;
  attemptsMade: number;
  /** Makes the job's id distinct from one of the same attempt that may still be running. */
  fence: number;
}

/**
 * Deliveries that are due and not leased: their job was lost, or their process died. Accounts take
 * turns, so the thousands of one account never hide the few of another.
 *
 * @param options.overdueMs how long it must have been due, so that the normal path goes first
 */
export async function findDueDeliveries(
  database: Database,
  options: { limit: number; overdueMs: number },
): Promise<DueDelivery[]> {
  return await database.query<DueDelivery>(FIND_DUE, [options.limit, options.overdueMs]);
}

const FIND_DUE = {
  name: 'webhooks.find-due',
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
};
