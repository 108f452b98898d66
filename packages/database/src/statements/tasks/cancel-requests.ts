import type { Family, TaskId, TaskStatus } from '@mediagate/contracts';
import type { Statement } from '../../statement';
import type { Claim } from './claim';
import { IS_CONTINUED } from './find-source';
import { IS_OPEN } from './task-row';

export interface CancelOptions {
  /** Protocols that can cancel what an upstream has accepted. */
  protocols: readonly string[];
  /** The process that answers the task's caller looks for the request. */
  isSynchronous: boolean;
}

/**
 * Records that a task is to be cancelled whose upstream was asked for it. Only the process that works on the task can do it.
 * No row: the task has ended, no upstream was asked for it, another task goes on with its work, or nobody could stop it.
 */
export const requestCancel: Statement<[id: TaskId, options: CancelOptions], { id: TaskId }> = {
  text: `
update tasks t set cancel_requested_at = coalesce(t.cancel_requested_at, now())
where t.id = $1 and ${IS_OPEN} and not (${IS_CONTINUED})
  and (t.run_by_submitter or t.attempt_state is not null and ($3::boolean or exists (
    select from task_attempts a where a.id = t.attempt_id and a.protocol = any($2::text[]))))
returning t.id`,
  values: (id, { protocols, isSynchronous }) => [id, protocols, isSynchronous],
};

export interface CancelRequestRow {
  status: TaskStatus;
  family: Family;
  /** False: it was never made, or it was declined. */
  isRequested: boolean;
  /** No upstream works on it. */
  isUnpaid: boolean;
  /** Null, unless the task was made due by this look: it is to be enqueued. */
  fence: number | null;
}

/**
 * What became of a request. An accepted job that waits for its next check is made due, because its worker looks at requests
 * only then. The column rounds to milliseconds, upwards too, so the time is cut off.
 */
export const followCancelRequest: Statement<[id: TaskId], CancelRequestRow> = {
  text: `
with due as (
  update tasks t set next_step_at = date_trunc('milliseconds', now())
  where t.id = $1 and ${IS_OPEN} and t.cancel_requested_at is not null and t.attempt_state = 'accepted'
    and t.next_step_at > now() and (t.lease_until is null or t.lease_until < now())
  returning t.id, t.fence
)
select t.status, t.family, t.cancel_requested_at is not null as "isRequested",
  t.attempt_state is null and not t.run_by_submitter as "isUnpaid", d.fence
from tasks t left join due d on d.id = t.id where t.id = $1`,
  values: (id) => [id],
};

/** The upstream will not stop. A row: the claim held. */
export const declineCancel: Statement<[task: Claim], { id: TaskId }> = {
  text: `
update tasks t set cancel_requested_at = null where t.id = $1 and t.fence = $2 and ${IS_OPEN} returning t.id`,
  values: ({ id, fence }) => [id, fence],
};
