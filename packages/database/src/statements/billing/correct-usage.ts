/**
 * A statement that changes a resolved reservation has this CTE before its change. It reads how far reservations are summed up, and keeps
 * that from moving until the change is committed: the statement sees an earlier run's sums, and a later run counts the changed rows.
 */
export const USAGE_PROGRESS = `
progress as materialized (select p.summed_to from usage_progress p for share)`;

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
