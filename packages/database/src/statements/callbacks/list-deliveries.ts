import type { TaskId } from '@mediagate/contracts';
import type { Statement } from '../../statement';

/** Selects callbacks for an operator; null fields do not narrow the search. */
export interface DeliverySearch {
  /** Only tasks whose ids are below this one. */
  before: string;
  /** Rows of an index that one page looks at. */
  scanRows: number;
  limit: number;
  accountId: string | null;
  state: string | null;
}

/** A row without an id: nothing was found. Each row has the same `lookedUntil`. */
export interface FoundDelivery {
  taskId: TaskId | null;
  /** Where the look ended before the page was full; null: it is full, or there is nothing further. */
  lookedUntil: TaskId | null;
}

/** Lists the newest tasks first: one index brings the ids of tasks, each of which has one delivery at most. */
function foundBy(source: string): Statement<[search: DeliverySearch], FoundDelivery> {
  return {
    text: `
with found as materialized (
  select c.task_id from (${source}) c
  cross join lateral (
    select from webhook_deliveries d
    where d.task_id = c.task_id and ($4::text is null or d.account_id = $4) and ($5::text is null or d.state = $5) limit 1
  ) d
  order by c.task_id desc limit $3
),
scan as (
  select case when (select count(*) from found) < $3 then (
    select c.task_id from (${source}) c order by c.task_id desc offset $2 - 1 limit 1
  ) end as "lookedUntil"
)
select f.task_id as "taskId", s."lookedUntil" from scan s left join found f on true order by f.task_id desc`,
    values: ({ before, scanRows, limit, accountId, state }) => [before, scanRows, limit, accountId, state],
  };
}

export const listDeliveries = foundBy(`
  select d.task_id from webhook_deliveries d where d.task_id < $1 order by d.task_id desc limit $2`);

/** The row comparisons keep the planner to the index whose last column is the task; each state gives its newest. */
export const listDeliveriesOfAccount = foundBy(`
  select r.task_id from unnest(
    case when $5::text is null then '{pending,delivered,rejected,exhausted,dropped}'::text[] else array[$5] end
  ) as s(state)
  cross join lateral (
    select d.task_id from webhook_deliveries d
    where (d.account_id, d.state, d.task_id) < ($4, s.state, $1) and (d.account_id, d.state, d.task_id) >= ($4, s.state, '')
    order by d.account_id desc, d.state desc, d.task_id desc limit $3
  ) r
  order by r.task_id desc limit $3`);

/** Lists deliveries of a state that few have: any but `delivered`. */
export const listUndelivered = foundBy(`
  select d.task_id from webhook_deliveries d
  where (d.state, d.task_id) < ($5, $1) and (d.state, d.task_id) >= ($5, '') and d.state <> 'delivered'
  order by d.state desc, d.task_id desc limit $2`);
