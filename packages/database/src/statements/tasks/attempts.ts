import type { FaultCode, JsonObject, Usage, VendorCost } from '@mediagate/contracts';
import type { Statement } from '../../statement';
import { repriced } from '../billing/usage-days';
import { afterMs } from './after-ms';
import { type Held, HOLDS } from './step-writes';
import { type Claim, HELD_BY_ITEMS } from './task-row';

export interface AttemptBegin {
  attemptId: string;
  channelId: string;
  protocol: string;
  /** Where it is to be asked about, by `rememberChannel`; default: wherever the channel leads. */
  destination?: string | null;
  /** Attempts in state starting or accepted that the channel may have at once; undefined: no limit. */
  maxConcurrency: number | undefined;
}

export type AttemptToBegin = Omit<AttemptBegin, 'maxConcurrency'> & { task: Claim };

/**
 * Any number of attempts at once, each for a claim of its own. A row for each that was begun: its claim held, its lease had neither
 * lapsed nor been given back, and its time to begin was not over. A statement that arrives late finds it so after its worker has gone on.
 * One whose answer was lost may be begun again under its id: it is, once.
 */
export const beginAttempts: Statement<[items: readonly AttemptToBegin[]], { id: string }> = {
  text: `
with item as materialized (
  select * from unnest($1::text[], $2::int[], $3::text[], $4::text[], $5::text[], $6::text[])
    as i(task_id, fence, attempt_id, channel_id, protocol, destination)
),
held as materialized (${HELD_BY_ITEMS}),
task as (
  update tasks t set attempt_id = h.attempt_id, attempt_state = 'starting', channel_id = h.channel_id,
    upstream_operation = null, attempts_made = t.attempts_made + 1, start_by = null,
    deadline_at = deadline_once_begun(t.deadline_at, t.start_by)
  from held h
  where t.id = h.id and h.present_fence = h.fence and (t.lease_until > clock_timestamp()) is true and (t.start_by <= now()) is not true
    and t.attempt_id is distinct from h.attempt_id
  returning t.id, t.attempts_made, h.attempt_id, h.channel_id, h.protocol, h.destination
),
begun as (
  insert into task_attempts (id, task_id, number, channel_id, protocol, destination, state)
  select attempt_id, id, attempts_made, channel_id, protocol, destination, 'starting' from task returning id
)
select id from begun
union all
select h.attempt_id from held h
where h.present_fence = h.fence and h.present_attempt = h.attempt_id and h.attempt_state = 'starting'`,
  values: (items) => [
    items.map(({ task }) => task.id),
    items.map(({ task }) => task.fence),
    items.map(({ attemptId }) => attemptId),
    items.map(({ channelId }) => channelId),
    items.map(({ protocol }) => protocol),
    items.map(({ destination = null }) => destination),
  ],
};

/** Begins an attempt on a channel with a limit: the function `begin_limited_attempt`. */
export const beginLimitedAttempt: Statement<
  [item: AttemptToBegin, maxConcurrency: number],
  { outcome: 'begun' | 'at_capacity' | 'lost' }
> = {
  text: 'select begin_limited_attempt($1, $2, $3, $4, $5, $6, $7) as outcome',
  values: ({ task, attemptId, channelId, protocol, destination = null }, maxConcurrency) => [
    task.id,
    task.fence,
    attemptId,
    channelId,
    protocol,
    maxConcurrency,
    destination,
  ],
};

export interface Accepted {
  attemptId: string;
  externalId: string;
  operation: JsonObject;
  requestIds: string[];
  nextStepInMs: number;
}

export type OperationToSave = Accepted & { task: Claim };

/** Saves the jobs that upstreams accepted. A row for each that was saved: its claim held. */
export const saveOperations: Statement<[items: readonly OperationToSave[]], { id: string }> = {
  text: `
with item as materialized (
  select * from unnest($1::text[], $2::int[], $3::text[], $4::text[], $5::text[], $6::float8[], $7::text[])
    as i(task_id, fence, attempt_id, external_id, operation, next_step_in_ms, request_ids)
),
held as materialized (${HELD_BY_ITEMS}),
task as (
  update tasks t set attempt_state = 'accepted', upstream_operation = h.operation::jsonb, lease_until = null,
    next_step_at = now() + make_interval(secs => h.next_step_in_ms / 1000), failed_steps = 0, lost_steps = 0
  from held h
  where t.id = h.id and h.present_fence = h.fence and t.attempt_id = h.attempt_id
  returning h.attempt_id, h.external_id, h.operation, h.request_ids
)
update task_attempts a set state = 'accepted', external_id = n.external_id, operation = n.operation::jsonb,
  request_ids = a.request_ids || array(select jsonb_array_elements_text(n.request_ids::jsonb))
from task n where a.id = n.attempt_id returning a.id`,
  values: (items) => [
    items.map(({ task }) => task.id),
    items.map(({ task }) => task.fence),
    items.map(({ attemptId }) => attemptId),
    items.map(({ externalId }) => externalId),
    items.map(({ operation }) => JSON.stringify(operation)),
    items.map(({ nextStepInMs }) => nextStepInMs),
    items.map(({ requestIds }) => JSON.stringify(requestIds)),
  ],
};

/** An intent of which its worker knows that the vendor has nothing of it. */
export interface Withdrawal {
  attemptId: string;
  /** The intent is of a next stage: the job stands where its first stage left it. */
  isStage: boolean;
  /** Whoever holds the task now may be sending the same attempt again: only what is still ours is taken back. */
  isSentAgain: boolean;
  fault: FaultCode;
  detail: string;
}

export type AttemptToWithdraw = Withdrawal & { task: Claim };

/**
 * Takes intents back that were not sent, whether they are written yet or not. The fence goes on: an intent of the old one that is
 * still on its way is refused, and so is the end of a task that another worker has claimed and is about to give up. A row for
 * each task that goes on; none where it has ended, or others have begun another attempt.
 */
export const withdrawAttempts: Statement<[items: readonly AttemptToWithdraw[]], { attemptId: string; fence: number }> =
  {
    text: `
with item as materialized (
  select * from unnest($1::text[], $2::int[], $3::text[], $4::boolean[], $5::boolean[], $6::text[], $7::text[])
    as i(task_id, fence, attempt_id, is_stage, is_sent_again, fault, detail)
),
held as materialized (${HELD_BY_ITEMS}),
task as materialized (
  update tasks t set fence = next_fence(t.fence), lease_until = null, next_step_at = date_trunc('milliseconds', now()),
    attempt_state = case when t.attempt_id is distinct from h.attempt_id then t.attempt_state
      when h.is_stage then 'accepted' end
  from held h
  where t.id = h.id and (h.present_fence = h.fence
    or not h.is_stage and not h.is_sent_again and h.present_attempt = h.attempt_id and h.attempt_state = 'starting')
  returning t.fence, h.attempt_id, h.is_stage, h.fault, h.detail
),
closed as materialized (
  select withdraw_attempt(attempt_id, fault, detail) from task where not is_stage
)
select attempt_id as "attemptId", fence from task where (select count(*) from closed) >= 0`,
    values: (items) => [
      items.map(({ task }) => task.id),
      items.map(({ task }) => task.fence),
      items.map(({ attemptId }) => attemptId),
      items.map(({ isStage }) => isStage),
      items.map(({ isSentAgain }) => isSentAgain),
      items.map(({ fault }) => fault),
      items.map(({ detail }) => detail),
    ],
  };

/** Needs a lease, as every intent does. */
export const beginStage: Statement<[task: Claim, attemptId: string], Held> = {
  text: `
update tasks t set attempt_state = 'starting' where ${HOLDS} and t.attempt_id = $3 and t.attempt_state = 'accepted'
  and (t.lease_until > clock_timestamp()) is true
returning t.id`,
  values: ({ id, fence }, attemptId) => [id, fence, attemptId],
};

export interface StageWithdrawal {
  attemptId: string;
  nextStepInMs: number;
  failedStep: boolean;
}

export const withdrawStage: Statement<[task: Claim, withdrawal: StageWithdrawal], Held> = {
  text: `
update tasks t set attempt_state = 'accepted', lease_until = null, next_step_at = ${afterMs('$4')},
  failed_steps = t.failed_steps + $5::int, lost_steps = 0
where ${HOLDS} and t.attempt_id = $3 and t.attempt_state = 'starting' returning t.id`,
  values: ({ id, fence }, { attemptId, nextStepInMs, failedStep }) => [
    id,
    fence,
    attemptId,
    nextStepInMs,
    failedStep ? 1 : 0,
  ],
};

export interface LateOutcome {
  usage: Usage | undefined;
  cost: VendorCost | undefined;
  /** The upstream's id of a job that it accepted after all. */
  externalId: string | undefined;
  detail: string;
}

/** Records a late outcome: the vendor's charge is the task's cost from then on, unless an operator has set that. */
export const recordLateOutcome: Statement<[attemptId: string, late: LateOutcome], object> = {
  text: `
with late as (
  update task_attempts a set usage = coalesce($2::jsonb, a.usage), external_id = coalesce(a.external_id, $3),
    detail = left(concat_ws('; ', a.detail, 'late: ' || $4), 500),
    cost_nano = case when a.resolution is null then coalesce($5::bigint, a.cost_nano) else a.cost_nano end,
    cost_origin = case when a.resolution is null then coalesce($6, a.cost_origin) else a.cost_origin end
  where a.id = $1 and a.state = 'unknown'
  returning a.task_id, a.cost_nano
),${repriced('late')}
select from late`,
  values: (attemptId, { usage, cost, externalId, detail }) => [
    attemptId,
    usage === undefined ? null : JSON.stringify(usage),
    externalId ?? null,
    detail,
    cost?.nano ?? null,
    cost?.origin ?? null,
  ],
};
