import type { TaskId } from '@mediagate/contracts';
import type { Database, Statement } from '@mediagate/database';
import type { Claim } from './attempt-begin';
import { IS_OPEN } from './task-row';

/*
 * Tasks that the process runs which took them in. Nobody claims them, so their fence is 0 until the process is given up.
 * Statements pass over rows that somebody has locked: who holds one is ending the task, or gives it up.
 */

const MAX_RENEWED_TOGETHER = 1000;
const LEASED = `t.run_by_submitter and ${IS_OPEN}`;
const IN_MS = (parameter: string) => `now() + make_interval(secs => ${parameter}::float8 / 1000)`;

/** The index covers nothing that changes here, so that rows are rewritten in place. */
const RENEW: Statement = {
  name: 'tasks.renew_submitter_leases',
  text: `
update tasks set lease_until = ${IN_MS('$2')} where id in (
  select t.id from tasks t where t.id = any($1::text[]) and t.fence = 0 and ${LEASED}
  order by t.id for update skip locked)`,
};

const FIND_ABANDONED: Statement = {
  name: 'tasks.find_abandoned',
  text: `
select t.id from tasks t
where t.run_by_submitter and t.status not in ('completed', 'failed') and t.lease_until < now()
order by t.id limit $1`,
};

const TAKE_OVER: Statement = {
  name: 'tasks.take_over',
  text: `
update tasks set fence = fence + 1, lease_until = ${IN_MS('$2')} where id in (
  select t.id from tasks t where t.id = any($1::text[]) and t.lease_until < now() and ${LEASED}
  order by t.id for update skip locked)
returning id, fence`,
};

/** One statement for all that a process runs. Of those that have ended, or were given up, nothing changes. */
export async function renewSubmitterLeases(database: Database, ids: readonly TaskId[], leaseMs: number): Promise<void> {
  for (let from = 0; from < ids.length; from += MAX_RENEWED_TOGETHER) {
    await database.query(RENEW, [ids.slice(from, from + MAX_RENEWED_TOGETHER), leaseMs]);
  }
}

/** Tasks whose process has let its lease lapse. */
export async function findAbandonedTasks(database: Database, limit: number): Promise<TaskId[]> {
  const rows = await database.query<{ id: TaskId }>(FIND_ABANDONED, [limit]);
  return rows.map(({ id }) => id);
}

/**
 * Takes those whose lease is still lapsed under a new fence: whatever their process writes from now on changes nothing. What
 * whoever took them does not end within `leaseMs` is found again.
 */
export function takeOverTasks(database: Database, ids: readonly TaskId[], leaseMs: number): Promise<Claim[]> {
  return database.query<Claim>(TAKE_OVER, [ids, leaseMs]);
}
