import type { Family, TaskId, TaskStatus } from '@mediagate/contracts';
import type { Statement } from '../../statement';

export interface RetryRow {
  status: TaskStatus;
  family: Family;
  leaseMs: number;
  runsAtOnce: boolean;
  /** Null: nothing was changed. */
  fence: number | null;
}

/** Due at once, and noted in the audit log. No row: there is no such task. */
export const retryTask: Statement<[id: TaskId, actor: string], RetryRow> = {
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
  values: (id, actor) => [id, actor],
};
