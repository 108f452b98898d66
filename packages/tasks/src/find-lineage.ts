import type { Database, Statement } from '@mediagate/database';
import { TASK_COLUMNS, type TaskRow } from './task-row';

/** Tasks in each direction; an account may derive thousands from one picture. */
const MAX_TASKS = 100;

export interface Lineage {
  /** The parent, its parent and so on. */
  ancestors: TaskRow[];
  /** Children, then their children and so on; within a generation by age. */
  descendants: TaskRow[];
  /** There are more in one direction than are shown. */
  truncated: boolean;
}

type Relative = TaskRow & { side: 'self' | 'ancestor' | 'descendant' };

/**
 * A task is younger than its parent and of the same account, which bounds where children are looked for. One more than is
 * shown tells that something was left out; the limit stops the recursion itself.
 */
const FIND_LINEAGE: Statement = {
  name: 'tasks.find_lineage',
  text: `
with recursive
up(id, parent, step) as (
  select t.id, t.parent_task_id, 0 from tasks t where t.id = $1 and t.account_id = $2
  union all
  select t.id, t.parent_task_id, u.step + 1 from up u join tasks t on t.id = u.parent and t.account_id = $2
),
ancestors as (select id, step from up limit ${MAX_TASKS + 2}),
down(id, created_at, step) as (
  select t.id, t.created_at, 0 from tasks t where t.id = $1 and t.account_id = $2
  union all
  select t.id, t.created_at, d.step + 1
  from down d join tasks t on t.parent_task_id = d.id and t.account_id = $2 and t.created_at >= d.created_at
),
descendants as (select id, step from down limit ${MAX_TASKS + 2}),
relatives as (
  select id, step, case step when 0 then 'self' else 'ancestor' end as side from ancestors
  union all
  select id, step, 'descendant' from descendants where step > 0
)
select ${TASK_COLUMNS}, r.side from relatives r join tasks t on t.id = r.id order by r.side, r.step, t.id`,
};

/** What led to one of the account's own tasks, and what was made of it; undefined: the account has no such task. */
export async function findLineage(database: Database, accountId: string, id: string): Promise<Lineage | undefined> {
  const rows = await database.query<Relative>(FIND_LINEAGE, [id, accountId]);
  if (rows.length === 0) return undefined;
  const ancestors = onSide(rows, 'ancestor');
  const descendants = onSide(rows, 'descendant');
  return {
    ancestors: ancestors.slice(0, MAX_TASKS),
    descendants: descendants.slice(0, MAX_TASKS),
    truncated: ancestors.length > MAX_TASKS || descendants.length > MAX_TASKS,
  };
}

function onSide(rows: readonly Relative[], wanted: Relative['side']): TaskRow[] {
  return rows.filter(({ side }) => side === wanted);
}
