import type { Statement } from '../../statement';
import { idBeforeMs } from '../tasks/after-ms';

/**
 * A statement that changes a resolved reservation has this CTE before its change. It reads how far reservations are summed up, and keeps
 * that from moving until the change is committed: the statement sees an earlier run's sums, and a later run counts the changed rows.
 */
export const USAGE_PROGRESS = `
progress as materialized (select p.summed_to from usage_progress p for share)`;

/**
 * Joins the units `q` of a row of `usage_days`, looked up by its id. Statistics that are taken while the first sums are being written say
 * that both tables are empty: PostgreSQL would then read all units once for each day.
 */
export const unitsOf = (dayId: string): string =>
  `cross join lateral (select q.unit, q.quantity from usage_units q where q.day_id = ${dayId} offset 0) q`;

/**
 * Corrects the days of the reservations that are summed up. The CTE `correction` has their columns, and the changes of the refunded
 * amount, of the cost, and of the number of unknown costs. A run that this statement waited for made rows that are newer than its
 * snapshot: only the conflict of an insertion finds them.
 */
export const CORRECTED_USAGE = `
corrected as (
  insert into usage_days as u (account_id, day, ended_on, key_id, family, model, channel_id, completed, failed, charged_nano,
    refunded_nano, cost_nano, cost_unknown)
  select c.account_id, (c.created_at at time zone 'UTC')::date, (coalesce(c.resolved_at, c.created_at) at time zone 'UTC')::date,
    c.key_id, coalesce(c.family, ''), coalesce(c.model, ''), coalesce(c.channel_id, ''), 0, 0, 0,
    c.refunded_change, c.cost_change, c.unknown_change
  from correction c join progress p on c.task_id <= p.summed_to
  where not c.is_test
  on conflict (account_id, day, ended_on, key_id, family, model, channel_id) do update
    set refunded_nano = u.refunded_nano + excluded.refunded_nano, cost_nano = u.cost_nano + excluded.cost_nano,
      cost_unknown = u.cost_unknown + excluded.cost_unknown
)`;

/** Sets the cost of ended tasks, and corrects their days. `source`: the CTE that has the costs as `task_id` and `cost_nano`. */
export function repriced(source: string): string {
  return `${USAGE_PROGRESS},
priced as materialized (
  select r.*, n.cost_nano::bigint + (
      select coalesce(sum(a.cost_nano), 0)::bigint from task_attempts a where a.task_id = n.task_id and a.state = 'refused'
    ) as new_cost_nano from reservations r join ${source} n on n.task_id = r.task_id
  where r.state <> 'held' and (select count(*) from progress) >= 0
  for update of r
),
repriced as (
  update reservations r set cost_nano = p.new_cost_nano from priced p where r.task_id = p.task_id
),
correction as (
  select p.*, 0 as refunded_change, coalesce(p.new_cost_nano, 0) - coalesce(p.cost_nano, 0) as cost_change,
    (p.new_cost_nano is null)::int - (p.cost_nano is null)::int as unknown_change
  from priced p
),${CORRECTED_USAGE}`;
}

/** How far the clocks of processes, which ids are made by, may be from that of the database. */
export const CLOCKS_MS = 3_600_000;

/**
 * The moment, by `usage_progress p`, before which every booked reservation is in a sum. Ids sort by clocks that differ from the database's
 * by an hour at most, either way.
 */
export const UNSUMMED_FROM = `coalesce(p.newest_at - interval '${(2 * CLOCKS_MS) / 1000} seconds', '-infinity')`;

/** Fails for a zone that PostgreSQL does not know; dates of rows fail only where there are rows. */
export const isKnownZone = (zone: string) => `(now() at time zone ${zone}) is not null`;

/**
 * The CTE `whole`: which part of a time is read from the sums of days, and where the rest of it is. Its sums are of the reservations up to
 * `summed_to` that were booked on the days from `first_day` until before `end_day`, which `first_at` and `end_at` are the beginnings of. A day
 * that the time ends on is whole where nothing of it that is summed up was booked later. `areSummed`: whether sums of days serve at all; else
 * all of the time is before `first_at`.
 */
export function wholeDays(from: string, to: string, areSummed = 'true'): string {
  return `
with day as materialized (
  select p.summed_to, ${UNSUMMED_FROM} as unsummed_from,
    case when ${areSummed} then ((${from}::timestamptz at time zone 'UTC') + interval '1 day' - interval '1 microsecond')::date
      else 'infinity' end as first_day,
    case when ${to}::timestamptz > p.newest_at then 'infinity' else (${to}::timestamptz at time zone 'UTC')::date end as end_day
  from usage_progress p
),
whole as materialized (
  select d.summed_to, d.first_day, d.end_day, d.first_day::timestamp at time zone 'UTC' as first_at,
    d.end_day::timestamp at time zone 'UTC' as end_at,
    d.unsummed_from
  from day d
)`;
}

interface SummedRow {
  counted: bigint;
  /** Fewer were counted where one is still held. */
  looked_at: bigint;
}

/** Adds the next reservations to the sums of their days: of tasks that are older by the database's clock, `limit` at most. */
export const sumReservations: Statement<[olderThanMs: number, limit: number], SummedRow> = {
  text: `select counted, looked_at from sum_reservations('task_' || ${idBeforeMs('$1')}, $2)`,
  values: (olderThanMs, limit) => [olderThanMs, limit],
};
