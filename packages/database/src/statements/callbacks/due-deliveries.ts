import type { Statement } from '../../statement';
import { type DeliveryClaim, IS_PENDING } from './attempts';

export interface DueDelivery {
  deliveryId: string;
  attemptsMade: number;
  /** Makes the job's id distinct from one of the same attempt that may still be running. */
  fence: number;
}

/** A row has nothing but the place where no delivery is due. */
export type DueDeliveryRow = { [Name in keyof DueDelivery]: DueDelivery[Name] | null } & {
  /** There are more accounts than one look visits or serves: the next one goes on after this one; null: it begins anew. */
  goesOnAfter: string | null;
};

export interface DueDeliveriesWanted {
  /** Accounts after this one; empty: all. */
  afterAccountId: string;
  limit: number;
  /** How long it must have been due. */
  overdueMs: number;
}

/** Accounts with callbacks on their way that one look visits, each by two probes of an index. */
const MAX_ACCOUNTS = 1000;
/** Deliveries that one look reads of all accounts together, so that some can use what others leave of their shares. */
const SPARE_DELIVERIES = 2000;

const IS_OLD = `next_attempt_at <= now() - $3::float8 * interval '1 millisecond'`;

/**
 * Finds deliveries that are due and not leased. Accounts take turns, and are walked by an index (`webhook_deliveries_due_by_account`), so
 * that a long backlog of one costs nothing.
 */
export const findDueDeliveries: Statement<[wanted: DueDeliveriesWanted], DueDeliveryRow> = {
  text: `
with recursive visit as (
  select f.account_id, 1 as place from (${nextAccount('$1')}) f
  union all
  select n.account_id, v.place + 1 from visit v cross join lateral (${nextAccount('v.account_id')}) n where v.place < ${MAX_ACCOUNTS}
),
late as materialized (
  select v.account_id
  from visit v
  cross join lateral (
    select next_attempt_at from webhook_deliveries
    where account_id = v.account_id and state = 'pending' order by next_attempt_at limit 1
  ) first
  where first.${IS_OLD}
),
owed as materialized (
  select f.account_id, count(*) over () as accounts from (select account_id from late order by account_id limit $2) f
),
ends as (
  select case
    when (select count(*) from late) > $2 then (select max(account_id) from owed)
    when (select count(*) from visit) = ${MAX_ACCOUNTS} then (select max(account_id) from visit)
  end as last_account_id
)
select l.last_account_id as "goesOnAfter", x.id as "deliveryId", x.attempts_made as "attemptsMade", x.fence
from ends l
left join (
  select d.* from owed o
  cross join lateral (
    select id, attempts_made, fence, next_attempt_at, row_number() over (order by next_attempt_at) as turn
    from webhook_deliveries
    where account_id = o.account_id and state = 'pending' and ${IS_OLD} and (lease_until is null or lease_until <= now())
    order by next_attempt_at limit least($2::bigint, greatest($2 / o.accounts + 1, ${SPARE_DELIVERIES} / o.accounts))
  ) d
  order by d.turn, d.next_attempt_at limit $2
) x on true
order by x.turn, x.next_attempt_at`,
  values: ({ afterAccountId, limit, overdueMs }) => [afterAccountId, limit, overdueMs],
};

function nextAccount(after: string): string {
  return `
    select account_id from webhook_deliveries where state = 'pending' and account_id > ${after} order by account_id limit 1`;
}

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

/** Gives claims back: the deliveries are due as they were. */
export const releaseDeliveries: Statement<[claims: readonly DeliveryClaim[]], { id: string }> = {
  text: `
update webhook_deliveries d
set lease_until = null
from unnest($1::text[], $2::int[]) as c(id, fence)
where d.id = c.id and d.fence = c.fence and ${IS_PENDING}
returning d.id`,
  values: (claims) => [claims.map(({ id }) => id), claims.map(({ fence }) => fence)],
};
