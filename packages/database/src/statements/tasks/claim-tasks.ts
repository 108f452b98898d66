import type { JsonObject, ListenerAddress, OwnMarkPolicy, TaskId } from '@mediagate/contracts';
import { LEFT_FOR_MS } from '../../lease-times';
import type { SharedStatement, Statement } from '../../statement';
import { IS_OPEN, SHOWN_COLUMNS, type ShownTask, TASK_COLUMNS, type TaskRow } from './task-row';

/** A job may arrive a little before its time, because two clocks are involved. */
const EARLY_MS = 250;

export interface ClaimedRow extends TaskRow {
  input: JsonObject;
  rates: Record<string, string>;
  failedSteps: number;
  /** Steps that ended with their worker, or by an outage, since the last step with an attempt was concluded. */
  lostSteps: number;
  attemptsMade: number;
  attemptId: string | null;
  attemptState: 'starting' | 'accepted' | null;
  channelId: string | null;
  /** The destination of the open attempt. */
  destination: string | null;
  upstreamOperation: JsonObject | null;
  triedChannels: string[];
  /** Channels that cannot carry it, whenever they are asked. */
  barredChannels: string[];
  /** By the database's clock. */
  msToDeadline: number;
  /** By the same clock; null: its account does not want it cancelled. */
  msSinceCancelRequest: number | null;
  /** The trace of its submission, which the step continues; null: it was not traced. */
  traceContext: string | null;
  /** Where the answer is brought; null: nobody waits for it. */
  listener: ListenerAddress | null;
  /** How its account wants results marked; null: as the deployment. */
  ownMarks: OwnMarkPolicy | null;
}

/** A task that is not claimed yet. */
export interface NotYet {
  /** The other tasks of its key must be counted first. */
  counted: boolean;
  /** How long the task is left to the worker whose lease lapsed in the middle of a call; null: it is not left. */
  leftForMs: number | null;
}

const CLAIMED_COLUMNS = `${TASK_COLUMNS}, t.input, t.rates, t.failed_steps as "failedSteps", t.lost_steps as "lostSteps", t.attempts_made as "attemptsMade",
  t.attempt_id as "attemptId", t.attempt_state as "attemptState", t.channel_id as "channelId",
  case when t.attempt_state is not null then (select a.destination from task_attempts a where a.id = t.attempt_id) end as destination,
  t.upstream_operation as "upstreamOperation", t.tried_channels as "triedChannels", t.barred_channels as "barredChannels",
  extract(epoch from t.deadline_at - now())::float8 * 1000 as "msToDeadline",
  extract(epoch from now() - t.cancel_requested_at)::float8 * 1000 as "msSinceCancelRequest",
  t.trace_context as "traceContext", t.listener,
  (select jsonb_build_object('marks', o.marks, 'unmarked', o.unmarked) from accounts o
    where o.id = t.account_id and (o.marks is not null or o.unmarked is not null)) as "ownMarks"`;

/**
 * Takes a task under a lease and a new fence. One of a key with a concurrency limit is only named here, because counting
 * the others needs a lock on the key first (`claimLimitedTask` does that). One with an intent whose lease has lapsed is first left to
 * whoever wrote it, for a moment and under its fence: then its time, `next_step_at`, is no longer before the end of the lease.
 */
export const claimTask: SharedStatement<[id: TaskId, leaseMs: number], ClaimedRow & NotYet> = {
  text: `
with due as materialized (
  select t.id, t.status = 'submitted' and k.max_concurrent is not null as counted,
    (t.attempt_state = 'starting' and t.next_step_at < t.lease_until) is true as is_left
  from tasks t join api_keys k on k.id = t.key_id
  where t.id = any($1::text[]) and ${IS_OPEN} and not t.awaits_key_slot
    and (t.lease_until is null or t.lease_until < now())
    and t.next_step_at <= now() + make_interval(secs => ${EARLY_MS / 1000}) and t.deadline_at > now()
  order by t.id for update of t
),
claimed as (
  update tasks t
  set fence = case when d.is_left then t.fence else next_fence(t.fence) end,
    -- A lease that lapsed is a step that died with its worker, or that an outage cut short.
    lost_steps = t.lost_steps + (t.lease_until is not null and not d.is_left)::int,
    lease_until = now() + make_interval(secs => case when d.is_left then ${LEFT_FOR_MS} else $2::float8 end / 1000),
    next_step_at = case when d.is_left then now() + make_interval(secs => ${LEFT_FOR_MS / 1000}) else t.next_step_at end,
    status = case t.status when 'submitted' then 'pending' else t.status end,
    started_at = coalesce(t.started_at, now())
  from due d where t.id = d.id and not d.counted
  returning ${CLAIMED_COLUMNS}, case when d.is_left then ${LEFT_FOR_MS} end as "leftForMs"
)
select c.*, false as counted from claimed c
union all
select ${CLAIMED_COLUMNS}, null as "leftForMs", true as counted from tasks t join due d on d.id = t.id where d.counted`,
  values: (calls) => [calls.map(([id]) => id), Math.max(...calls.map(([, leaseMs]) => leaseMs))],
  shared: { tally: 'claims', callId: (id) => id, rowId: ({ id }) => id, once: true },
};

/** How much too early a job may come, by clocks that differ, and be put off; later steps are found when they are due. */
const LONG_EARLY_SECONDS = 60;

export interface EarlyTask extends ShownTask {
  id: TaskId;
  fence: number;
  waitMs: number;
}

/** Finds a task that nobody has and that is not due yet, but will be soon. */
export const findEarlyTask: SharedStatement<[id: TaskId], EarlyTask> = {
  text: `
select t.id, t.fence, (extract(epoch from t.next_step_at - now()) * 1000)::float8 as "waitMs",
  ${SHOWN_COLUMNS}
from tasks t
where t.id = any($1::text[]) and ${IS_OPEN} and not t.awaits_key_slot and (t.lease_until is null or t.lease_until < now())
  and t.next_step_at > now() + make_interval(secs => ${EARLY_MS / 1000}) and t.next_step_at < now() + interval '${LONG_EARLY_SECONDS} seconds'`,
  values: (calls) => [calls.map(([id]) => id)],
  shared: { callId: (id) => id, rowId: ({ id }) => id },
};

/** No row: the key runs as many tasks of the family as it may, and this one awaits a slot in its row. */
export const claimLimitedTask: Statement<[id: TaskId, leaseMs: number], ClaimedRow> = {
  text: `select ${CLAIMED_COLUMNS} from claim_limited_task($1, $2::float8 / 1000) t`,
  values: (id, leaseMs) => [id, leaseMs],
};
