import type { Family, TaskId } from '@mediagate/contracts';
import type { Database, Statement } from '@mediagate/database';

export interface DueTask {
  id: TaskId;
  family: Family;
  fence: number;
}

/** Due for longer than the normal path ever takes, and nobody at work on it: its wake-up was lost, or its worker died. */
const FIND_DUE: Statement = {
  name: 'tasks.find_due',
  text: `
select t.id, t.family, t.fence from tasks t
where t.status not in ('completed', 'failed') and t.deadline_at > now()
  and t.next_step_at < now() - make_interval(secs => $1::float8 / 1000)
  and (t.lease_until is null or t.lease_until < now())
order by t.next_step_at limit $2`,
};

const FIND_OVERDUE: Statement = {
  name: 'tasks.find_overdue',
  text: `
select t.id, t.family, t.fence, t.attempt_id as "attemptId", t.attempt_state as "attemptState" from tasks t
where t.status not in ('completed', 'failed') and t.deadline_at <= now()
order by t.deadline_at limit $1`,
};

/** Oldest first; `graceMs` is what a healthy queue may take to deliver a wake-up. */
export function findDueTasks(database: Database, graceMs: number, limit: number): Promise<DueTask[]> {
  return database.query<DueTask>(FIND_DUE, [graceMs, limit]);
}

export interface OverdueTask extends DueTask {
  attemptId: string | null;
  attemptState: 'starting' | 'accepted' | null;
}

/** Tasks whose deadline has passed by the database's clock. */
export function findOverdueTasks(database: Database, limit: number): Promise<OverdueTask[]> {
  return database.query<OverdueTask>(FIND_OVERDUE, [limit]);
}
