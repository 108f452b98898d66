import type { TaskId } from '@mediagate/contracts';
import { type Scanned, scanned } from '../../page';
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

/** Finds the ids of tasks, the newest first: each has one delivery at most. */
function foundBy(source: string): Statement<[search: DeliverySearch], Scanned<{ id: TaskId }>> {
  const row = `
    select d.task_id as id from webhook_deliveries d
    where d.task_id = c.id and ($4::text is null or d.account_id = $4) and ($5::text is null or d.state = $5)`;
  return {
    text: scanned({ source, row, limit: '$3', rows: '$2' }),
    values: ({ before, scanRows, limit, accountId, state }) => [before, scanRows, limit, accountId, state],
  };
}

export const listDeliveries = foundBy(`
  select d.task_id as id from webhook_deliveries d where d.task_id < $1 order by d.task_id desc limit $2`);

/** The row comparisons keep the planner to the index whose last column is the task; each state gives its newest. */
export const listDeliveriesOfAccount = foundBy(`
  select r.task_id as id from unnest(
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
  select d.task_id as id from webhook_deliveries d
  where (d.state, d.task_id) < ($5, $1) and (d.state, d.task_id) >= ($5, '') and d.state <> 'delivered'
  order by d.state desc, d.task_id desc limit $2`);
