import type { Statement } from '../../statement';
import { isSeen, type Visibility } from '../visibility';
import { AWAITS_CALLER_COLUMN, TASK_COLUMNS, type TaskRow } from './task-row';

/** Tasks in each direction; an account may derive thousands from one image. */
export const MAX_LINEAGE_TASKS = 100;

export type Relative = TaskRow & { side: 'self' | 'ancestor' | 'descendant' };

/** Whether the caller sees the row `t`. No index matches it: relatives are found by their ids, never among all tasks of an account. */
const IS_SEEN = `(t.account_id = $2) is true and ${isSeen('t.key_id', '$3')}`;

/**
 * A task is younger than its parent and of the same account, which bounds where children are looked for. A task that the caller does not
 * see ends its branch. One more than is shown tells that something was left out; the limit stops the recursion itself.
 */
export const findLineage: Statement<[who: Visibility, id: string], Relative> = {
  text: `
with recursive
up(id, parent, step) as (
  select t.id, t.parent_task_id, 0 from tasks t where t.id = $1 and ${IS_SEEN}
  union all
  select t.id, t.parent_task_id, u.step + 1 from up u join tasks t on t.id = u.parent and ${IS_SEEN}
),
ancestors as (select id, step from up limit ${MAX_LINEAGE_TASKS + 2}),
down(id, created_at, step) as (
  select t.id, t.created_at, 0 from tasks t where t.id = $1 and ${IS_SEEN}
  union all
  select t.id, t.created_at, d.step + 1
  from down d join tasks t on t.parent_task_id = d.id and ${IS_SEEN} and t.created_at >= d.created_at
),
descendants as (select id, step from down limit ${MAX_LINEAGE_TASKS + 2}),
relatives as (
  select id, step, case step when 0 then 'self' else 'ancestor' end as side from ancestors
  union all
  select id, step, 'descendant' from descendants where step > 0
)
select ${TASK_COLUMNS}, ${AWAITS_CALLER_COLUMN}, r.side from relatives r join tasks t on t.id = r.id order by r.side, r.step, t.id`,
  values: ({ accountId, ownKeyId }, id) => [id, accountId, ownKeyId],
};
