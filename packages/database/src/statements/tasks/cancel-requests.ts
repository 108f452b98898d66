import type { Family, TaskId, TaskStatus } from '@mediagate/contracts';
import type { Statement, Whether } from '../../statement';
import { type Claim, IS_CONTINUED, IS_OPEN, SHOWN_COLUMNS, type ShownTask } from './task-row';

export interface CancelOptions {
  /** Protocols that can cancel what an upstream has accepted. */
  protocols: readonly string[];
  /** The process that answers the task's caller looks for the request. */
  isSynchronous: boolean;
}

export interface CancelRequest extends ShownTask {
  id: TaskId;
  /** The row's fence when the request was made. */
  fence: number;
  /** False: it was made before, and nothing was written. */
  isNew: boolean;
  /** It made the task due, which is to be enqueued. */
  isDue: boolean;
}

/** An accepted job that waits for its next check. Its worker looks at cancel requests only then. */
export const WAITS_FOR_CHECK = `t.attempt_state = 'accepted' and t.next_step_at > now() and (t.lease_until is null or t.lease_until < now())`;
/** The column rounds to milliseconds, upwards too: cut off, the time has come for the very next statement. */
export const AT_ONCE = `date_trunc('milliseconds', now())`;

/**
 * Records that a task is to be cancelled whose upstream was asked for it, and has its worker look at it. Only the process that
 * works on the task can do it. No row: the task has ended, no upstream was asked for it, another task goes on with its work, or nobody could stop it.
 */
export const requestCancel: Statement<[id: TaskId, options: CancelOptions], CancelRequest> = {
  text: `
with found as materialized (
  select t.id, t.fence, t.cancel_requested_at is null as "isNew", t.cancel_requested_at is null and ${WAITS_FOR_CHECK} as "isDue",
    ${SHOWN_COLUMNS}
  from tasks t
  where t.id = $1 and ${IS_OPEN} and not (${IS_CONTINUED})
    and (t.run_by_submitter or t.attempt_state is not null and ($3::boolean or exists (
      select from task_attempts a where a.id = t.attempt_id and a.protocol = any($2::text[]))))
  for update of t
),
noted as (
  update tasks t set cancel_requested_at = now(), next_step_at = case when f."isDue" then ${AT_ONCE} else t.next_step_at end
  from found f where t.id = f.id and f."isNew"
)
select * from found`,
  values: (id, { protocols, isSynchronous }) => [id, protocols, isSynchronous],
};

export interface CancelToFollow {
  id: TaskId;
  /** The fence of a new request; null: the request was made before. */
  fence: number | null;
}

export interface CancelRequestRow extends ShownTask {
  id: TaskId;
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
 * Reads what became of requests. A task whose worker was in the middle of a step when the request was made is made due afterwards,
 * once: the next claim reads the request, and from then on the worker and the vendor say when the next step is. Passes over
 * rows that somebody has locked.
 */
export const followCancelRequests: Statement<[requests: readonly CancelToFollow[]], CancelRequestRow> = {
  text: `
with asked as materialized (
  select * from unnest($1::text[], $2::int[]) as a(id, fence)
),
waiting as materialized (
  select t.id from asked a join tasks t on t.id = a.id
  where t.fence = a.fence and ${IS_OPEN} and t.cancel_requested_at is not null and ${WAITS_FOR_CHECK}
  order by t.id for update of t skip locked
),
due as (
  update tasks t set next_step_at = ${AT_ONCE} from waiting w where t.id = w.id
  returning t.id, t.fence
)
select t.id, t.status, t.family, t.cancel_requested_at is not null as "isRequested",
  t.attempt_state is null and not t.run_by_submitter as "isUnpaid", d.fence, ${SHOWN_COLUMNS}
from asked a join tasks t on t.id = a.id left join due d on d.id = t.id`,
  values: (requests) => [requests.map(({ id }) => id), requests.map(({ fence }) => fence)],
};

/** Finds the tasks whose account wants them cancelled, or had them cancelled before an upstream was asked. */
export const findCancelled: Statement<[ids: readonly TaskId[]], { id: TaskId }> = {
  text: `
select t.id from tasks t
where t.id = any($1::text[]) and (t.cancel_requested_at is not null or t.error ->> 'reason' = 'cancelled')`,
  values: (ids) => [ids],
};

/** The upstream will not stop: its caller's wish to cancel it is answered. */
export const declineCancel: Whether<Statement<[task: Claim], { id: TaskId }>> = {
  text: `
update tasks t set cancel_requested_at = null where t.id = $1 and t.fence = $2 and ${IS_OPEN} returning t.id`,
  values: ({ id, fence }) => [id, fence],
  asksWhether: true,
};
