import type { Family } from '@mediagate/contracts';
import type { Statement } from '../../statement';

/** Recent submissions and ends of a family's tasks, those of test keys included. */
export interface RecentBookings {
  family: Family;
  submitted: number;
  /** Completed or failed. */
  ended: number;
  /** How far back the counts reach: the same for all families. */
  seconds: number;
}

export interface RecentTime {
  seconds: number;
  /** Entries of the ledger at most, the newest: where they do not reach back so far, `seconds` is less. */
  entries: number;
}

/**
 * A submission is a hold, an end is a settlement or a refund. The ids of entries sort by time, so the primary key finds them. Each reservation
 * is looked up by itself: the planner expects a tenth of all entries of a limit that it does not know, and would read all reservations.
 */
export const countBookings: Statement<[families: readonly Family[], back: RecentTime], RecentBookings> = {
  text: `
with newest as materialized (
  select e.task_id, e.kind, e.created_at from ledger_entries e order by e.id desc limit $3
),
reach as (
  select case when count(*) < $3 then $2::float8 else least($2::float8, extract(epoch from now() - min(created_at))) end as seconds
  from newest
),
moved as (
  select r.family, n.kind, count(*) as tasks
  from newest n cross join reach
  cross join lateral (select family from reservations where task_id = n.task_id offset 0) r
  where n.created_at >= now() - make_interval(secs => reach.seconds) and n.kind in ('hold', 'settle', 'refund')
  group by r.family, n.kind
)
select w.family, coalesce(sum(m.tasks) filter (where m.kind = 'hold'), 0)::int as submitted,
  coalesce(sum(m.tasks) filter (where m.kind <> 'hold'), 0)::int as ended, reach.seconds::float8 as seconds
from unnest($1::text[]) as w(family) cross join reach left join moved m on m.family = w.family
group by w.family, reach.seconds`,
  values: (families, { seconds, entries }) => [families, seconds, entries],
};
