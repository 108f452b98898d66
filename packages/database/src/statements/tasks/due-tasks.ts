import type { Family, TaskId } from '@mediagate/contracts';
import type { Statement } from '../../statement';
import { afterMs } from './after-ms';
import { IS_OPEN, type OwnedClaim, SHOWN_COLUMNS, type ShownTask } from './task-row';
import { IS_WATCHED } from './waiting-tasks';

export interface DueTask extends ShownTask {
  id: TaskId;
  family: Family;
  fence: number;
  nextStepAt: Date;
}

/** Where a look goes on: after the task that was due then and has that id; null: from the longest due. */
export interface DueAfter {
  family: Family;
  after: Pick<DueTask, 'id' | 'nextStepAt'> | null;
}

export interface DueOptions {
  /** How long a healthy queue may take from enqueueing to the claim. */
  graceMs: number;
  /** Tasks of each family at most. */
  limit: number;
}

/**
 * Finds tasks that are due for longer than the normal path ever takes, and not leased: they wait in the queue, their jobs were lost, or
 * their workers died. The longest due of each family come first; tasks that wait for the dispatcher are left out.
 */
export const findDueTasks: Statement<[places: readonly DueAfter[], options: DueOptions], DueTask> = {
  text: `
select d.* from unnest($1::text[], $2::timestamptz[], $3::text[]) as w(family, after_at, after_id)
cross join lateral (
  select t.id, t.family, t.fence, t.next_step_at as "nextStepAt", ${SHOWN_COLUMNS} from tasks t
  where t.family = w.family and ${IS_WATCHED} and (t.next_step_at, t.id) > (w.after_at, w.after_id)
    and t.next_step_at < now() - make_interval(secs => $4::float8 / 1000)
    and (t.lease_until is null or t.lease_until < now()) and t.deadline_at > now()
  order by t.next_step_at, t.id limit $5
) d`,
  values: (places, { graceMs, limit }) => [
    places.map(({ family }) => family),
    places.map(({ after }) => after?.nextStepAt.toISOString() ?? '-infinity'),
    places.map(({ after }) => after?.id ?? ''),
    graceMs,
    limit,
  ],
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

/**
 * When the queue lost everything, tasks that have not begun wait for the dispatcher again. Fewer than `limit` means that none is
 * left. They go in the order of an index.
 */
export const forgetEnqueued: Statement<[families: readonly Family[], limit: number], { id: string }> = {
  text: `
with enqueued as materialized (
  select d.id from unnest($1::text[]) as w(family)
  cross join lateral (
    select t.id from tasks t
    where t.family = w.family and t.status = 'submitted' and t.woken_at is not null and not t.awaits_key_slot and ${IS_WATCHED}
    order by t.next_step_at, t.id limit $2 for update skip locked
  ) d
  limit $2
)
update tasks t set woken_at = null from enqueued e where t.id = e.id
returning t.id`,
  values: (families, limit) => [families, limit],
};

/** Tasks whose deadline has passed by the database's clock. */
export const findOverdueTasks: Statement<[limit: number], { id: TaskId; accountId: string }> = {
  text: `
select t.id, t.account_id as "accountId" from tasks t
where t.status not in ('completed', 'failed') and t.deadline_at <= now()
order by t.deadline_at limit $1`,
  values: (limit) => [limit],
};

/**
 * Takes tasks whose time to begin is over, and of which no attempt has begun, from whoever holds them: none can begin any more,
 * and nobody can claim them before the lease lapses. Passes over rows that somebody has locked, who may just be beginning one.
 */
export const takeOverUnstartedTasks: Statement<[limit: number, leaseMs: number], OwnedClaim> = {
  text: `
with late as materialized (
  select t.id from tasks t
  where t.start_by <= now() and t.status not in ('completed', 'failed')
  order by t.start_by limit $1 for update skip locked
)
update tasks t set fence = next_fence(fence), lease_until = ${afterMs('$2')} from late where t.id = late.id
returning t.id, t.fence, t.account_id as "accountId"`,
  values: (limit, leaseMs) => [limit, leaseMs],
};
