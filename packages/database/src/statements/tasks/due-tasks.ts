import type { Family, TaskId } from '@mediagate/contracts';
import type { Statement } from '../../statement';
import { IS_OPEN } from './task-row';

export interface DueTask {
  id: TaskId;
  family: Family;
  fence: number;
}

export interface DueOptions {
  /** What a healthy queue may take from enqueueing to the claim. */
  graceMs: number;
  limit: number;
}

/** A job younger than this, and than every change of the task since, may still be in the queue. */
const ENQUEUE_AGAIN_SECONDS = 30;

/** Due for longer than the normal path ever takes, and not leased: its job was lost, or its worker died. Longest due first. */
export const findDueTasks: Statement<[options: DueOptions], DueTask> = {
  text: `
select t.id, t.family, t.fence from tasks t
where t.status not in ('completed', 'failed') and t.deadline_at > now()
  and t.next_step_at < now() - make_interval(secs => $1::float8 / 1000)
  and (t.lease_until is null or t.lease_until < now())
  and (t.woken_at is null or t.woken_at < now() - make_interval(secs => ${ENQUEUE_AGAIN_SECONDS})
    or t.woken_at < greatest(t.next_step_at, t.lease_until))
order by t.next_step_at limit $2`,
  values: ({ graceMs, limit }) => [graceMs, limit],
};

// Both below pass over rows that somebody has locked: a statement that never waits can be in no deadlock with claims and
// finishes, and who holds the row is at work on the task.
export const markTasksEnqueued: Statement<[ids: readonly TaskId[]], object> = {
  text: `
update tasks set woken_at = now() where id in (
  select t.id from tasks t where t.id = any($1::text[]) and ${IS_OPEN}
  order by t.id for update skip locked)`,
  values: (ids) => [ids],
};

/** When the queue lost everything; fewer than `limit` means that none is left. In the order of an index that holds open tasks alone. */
export const forgetEnqueued: Statement<[limit: number], { id: string }> = {
  text: `
update tasks set woken_at = null where id in (
  select t.id from tasks t where t.woken_at is not null and t.status not in ('completed', 'failed')
  order by t.next_step_at limit $1 for update skip locked)
returning id`,
  values: (limit) => [limit],
};

/** Tasks whose deadline has passed by the database's clock. */
export const findOverdueTasks: Statement<[limit: number], DueTask> = {
  text: `
select t.id, t.family, t.fence from tasks t
where t.status not in ('completed', 'failed') and t.deadline_at <= now()
order by t.deadline_at limit $1`,
  values: (limit) => [limit],
};
