import type { Family, TaskId, TaskStatus } from '@mediagate/contracts';
import type { Database, Statement } from '@mediagate/database';

export type RetryOutcome =
  /** Due now; `leaseMs` is how long a worker may still hold it, 0 when nobody does. */
  | { kind: 'scheduled'; family: Family; fence: number; leaseMs: number }
  | { kind: 'ended'; status: TaskStatus }
  /** The process that took it in is at work on it, while its caller waits: no worker could go on with it. */
  | { kind: 'runs_at_once' }
  /** Its deadline has passed: it is about to be failed and refunded. */
  | { kind: 'overdue' }
  | { kind: 'not_found' };

/**
 * Makes an unfinished task due at once, at an operator's wish, with none of its failed steps counted and its wake-up as not
 * yet sent. A worker's lease stays: whoever is at work finishes the step. The wish goes to the audit log in the same
 * statement.
 *
 * The caller wakes the task after `leaseMs`; else the reconciler does.
 *
 * @param options.actor who wished it, as the audit log is to show it
 */
export async function retryTask(database: Database, id: TaskId, options: { actor: string }): Promise<RetryOutcome> {
  const [row] = await database.query<RetryRow>(RETRY, [id, options.actor]);
  if (!row) return { kind: 'not_found' };
  if (row.fence !== null) return { kind: 'scheduled', family: row.family, fence: row.fence, leaseMs: row.leaseMs };
  if (row.status === 'completed' || row.status === 'failed') return { kind: 'ended', status: row.status };
  return { kind: row.runsAtOnce ? 'runs_at_once' : 'overdue' };
}

interface RetryRow {
  status: TaskStatus;
  family: Family;
  leaseMs: number;
  runsAtOnce: boolean;
  /** Null: nothing was changed. */
  fence: number | null;
}

const RETRY: Statement = {
  name: 'tasks.retry',
  text: `
with found as materialized (
  select t.id, t.status, t.family, t.failed_steps, t.run_by_submitter as runs_at_once,
    greatest(extract(epoch from t.lease_until - now()) * 1000, 0)::float8 as lease_ms
  from tasks t where t.id = $1 for update
),
scheduled as (
  update tasks t set next_step_at = now(), failed_steps = 0, woken_at = null
  from found f
  where t.id = f.id and not f.runs_at_once and t.status not in ('completed', 'failed') and t.deadline_at > now()
  returning t.id, t.fence
),
noted as (
  insert into audit_log (actor, action, subject, detail)
  select $2, 'task.retry', s.id, jsonb_build_object('failed_steps', f.failed_steps) from scheduled s join found f on f.id = s.id
)
select f.status, f.family, coalesce(f.lease_ms, 0) as "leaseMs", f.runs_at_once as "runsAtOnce", s.fence from found f left join scheduled s on s.id = f.id`,
};
