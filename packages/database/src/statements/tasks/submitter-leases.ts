import type { TaskId } from '@mediagate/contracts';
import type { Statement } from '../../statement';
import { afterMs } from './after-ms';
import { IS_OPEN, KEPT_NOW, type OwnedClaim } from './task-row';

/*
 * Tasks that the process runs which took them in. Nobody claims them, so their fence is 0 until the process is given up.
 * Statements pass over rows that somebody has locked: who holds one is ending the task, or gives it up.
 */

/** An operator ended the task, and it took the end that its process had kept. Whoever takes a task over raises its fence before the end does. */
const IS_ENDED_AS_KEPT = `(t.status = 'completed' and t.fence = next_fence(0))`;

const LEASED = `t.run_by_submitter and ${IS_OPEN}`;

export interface LeaseRenewal {
  id: TaskId;
  /** How the task ends if the process is gone before the next renewal; null: nothing is known. */
  end: string | null;
}

/**
 * Why a process stops a task that it runs: its account wants that, somebody has ended it, or another process has taken it over.
 */
export type StopReason = 'cancelled_by_caller' | 'cancelled' | 'internal_error';

export interface StoppedTask {
  id: TaskId;
  why: StopReason;
}

/**
 * A row for each that is to be stopped. A crash of the database may have lost the row of a task that was just booked: such a task goes on.
 * The indexes cover nothing that changes here, so that rows are rewritten in place.
 */
export const renewSubmitterLeases: Statement<[renewals: readonly LeaseRenewal[], leaseMs: number], StoppedTask> = {
  text: `
with renewed as (
  update tasks t set lease_until = ${afterMs('$3')},
    end_if_abandoned = r.end_text::jsonb || ${KEPT_NOW}
  from (
    select t.id, i.end_text from unnest($1::text[], $2::text[]) as i(id, end_text) join tasks t on t.id = i.id
    where t.fence = 0 and ${LEASED}
    order by t.id for update of t skip locked
  ) r
  where t.id = r.id
  returning t.id, t.cancel_requested_at
)
select id, 'cancelled_by_caller' as why from renewed where cancel_requested_at is not null
union all
select t.id, case when t.fence = 0 or ${IS_ENDED_AS_KEPT} then 'cancelled' else 'internal_error' end from tasks t
where t.id = any($1::text[]) and (t.fence = 0 and ${LEASED}) is not true`,
  values: (renewals, leaseMs) => [renewals.map(({ id }) => id), renewals.map(({ end }) => end), leaseMs],
};

/** Tasks whose process has let its lease lapse. */
export const findAbandonedTasks: Statement<[limit: number], { id: TaskId }> = {
  text: `
select t.id from tasks t
where t.run_by_submitter and t.status not in ('completed', 'failed') and t.lease_until < now()
order by t.id limit $1`,
  values: (limit) => [limit],
};

/**
 * Claims the tasks whose lease is still lapsed. Their fence rises, so that later writes of the process that lost them change
 * nothing. A task that is not ended within `leaseMs` is found again.
 */
export const takeOverTasks: Statement<[ids: readonly TaskId[], leaseMs: number], OwnedClaim> = {
  text: `
update tasks set fence = next_fence(fence), lease_until = ${afterMs('$2')} where id in (
  select t.id from tasks t where t.id = any($1::text[]) and t.lease_until < now() and ${LEASED}
  order by t.id for update skip locked)
returning id, fence, account_id as "accountId"`,
  values: (ids, leaseMs) => [ids, leaseMs],
};
