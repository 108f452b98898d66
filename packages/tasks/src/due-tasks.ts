import type { Family, TaskId } from '@mediagate/contracts';
import type { Database, Statement } from '@mediagate/database';
import { IS_OPEN } from './task-row';

export interface DueTask {
  id: TaskId;
  family: Family;
  fence: number;
}

export interface DueOptions {
  /** What a healthy queue may take to deliver a wake-up. */
  graceMs: number;
  limit: number;
}

/** A wake that is younger than this, and than all that happened to the task since, is still on its way. */
const WAKE_AGAIN_SECONDS = 30;

/** Due for longer than the normal path ever takes, and nobody at work on it: its wake-up was lost, or its worker died. */
const FIND_DUE: Statement = {
  name: 'tasks.find_due',
  text: `
select t.id, t.family, t.fence from tasks t
where t.status not in ('completed', 'failed') and t.deadline_at > now()
  and t.next_step_at < now() - make_interval(secs => $1::float8 / 1000)
  and (t.lease_until is null or t.lease_until < now())
  and (t.woken_at is null or t.woken_at < now() - make_interval(secs => ${WAKE_AGAIN_SECONDS})
    or t.woken_at < greatest(t.next_step_at, t.lease_until))
order by t.next_step_at limit $2`,
};

// Both below pass over rows that somebody has locked: a statement that never waits can be in no deadlock with claims and
// finishes, and who holds the row is at work on the task.
const MARK_WOKEN: Statement = {
  name: 'tasks.mark_woken',
  text: `
update tasks set woken_at = now() where id in (
  select t.id from tasks t where t.id = any($1::text[]) and ${IS_OPEN}
  order by t.id for update skip locked)`,
};

/** In the order of an index that holds open tasks alone. */
const FORGET_WAKES: Statement = {
  name: 'tasks.forget_wakes',
  text: `
update tasks set woken_at = null where id in (
  select t.id from tasks t where t.woken_at is not null and t.status not in ('completed', 'failed')
  order by t.next_step_at limit $1 for update skip locked)
returning id`,
};

const FIND_OVERDUE: Statement = {
  name: 'tasks.find_overdue',
  text: `
select t.id, t.family, t.fence from tasks t
where t.status not in ('completed', 'failed') and t.deadline_at <= now()
order by t.deadline_at limit $1`,
};

/** Longest due first. */
export function findDueTasks(database: Database, { graceMs, limit }: DueOptions): Promise<DueTask[]> {
  return database.query<DueTask>(FIND_DUE, [graceMs, limit]);
}

/** After their wakes are in the queue, never before: a wake that failed must be tried again at once. */
export async function markWoken(database: Database, tasks: readonly DueTask[]): Promise<void> {
  if (tasks.length > 0) await database.query(MARK_WOKEN, [tasks.map((task) => task.id)]);
}

/**
 * When the queue lost everything: wakes count as not sent, those of `limit` tasks at most.
 *
 * @returns how many; fewer than `limit` means that none is left.
 */
export async function forgetWakes(database: Database, limit: number): Promise<number> {
  return (await database.query(FORGET_WAKES, [limit])).length;
}

/** Tasks whose deadline has passed by the database's clock. */
export function findOverdueTasks(database: Database, limit: number): Promise<DueTask[]> {
  return database.query<DueTask>(FIND_OVERDUE, [limit]);
}
