import type { FaultCode, JsonObject, Usage, VendorCost } from '@mediagate/contracts';
import type { SharedStatement, Statement, Whether } from '../../statement';
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
}

/**
 * Begins an attempt whose claim holds, whose lease has neither lapsed nor been given back, and whose time to begin is not over. A statement
 * that arrives late finds it so after its worker has gone on. One whose answer was lost may be begun again under its id: it is, once.
 */
export const beginAttempt: Whether<SharedStatement<[task: Claim, attempt: AttemptBegin], Held>> = {
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
  values: (calls) => [
    calls.map(([task]) => task.id),
    calls.map(([task]) => task.fence),
    calls.map(([, { attemptId }]) => attemptId),
    calls.map(([, { channelId }]) => channelId),
    calls.map(([, { protocol }]) => protocol),
    calls.map(([, { destination = null }]) => destination),
  ],
  shared: { tally: 'attempts', callId: (_, { attemptId }) => attemptId, rowId: ({ id }) => id },
  asksWhether: true,
};

/**
 * Begins an attempt on a channel that may have so many at once in state starting or accepted, over all processes: the function
 * `begin_limited_attempt`. If the channel has no slot for it, nothing is written.
 */
export const beginLimitedAttempt: Statement<
  [task: Claim, attempt: AttemptBegin, maxConcurrency: number],
  { outcome: 'begun' | 'at_capacity' | 'lost' }
> = {
  text: 'select begin_limited_attempt($1, $2, $3, $4, $5, $6, $7) as outcome',
  values: (task, { attemptId, channelId, protocol, destination = null }, maxConcurrency) => [
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

/** Saves a job straight after its upstream accepted it: from here on it is only ever checked. Failed steps count anew. */
export const saveOperation: Whether<SharedStatement<[task: Claim, accepted: Accepted], Held>> = {
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
  values: (calls) => [
    calls.map(([task]) => task.id),
    calls.map(([task]) => task.fence),
    calls.map(([, { attemptId }]) => attemptId),
    calls.map(([, { externalId }]) => externalId),
    calls.map(([, { operation }]) => JSON.stringify(operation)),
    calls.map(([, { nextStepInMs }]) => nextStepInMs),
    calls.map(([, { requestIds }]) => JSON.stringify(requestIds)),
  ],
  shared: { tally: 'operations', callId: (_, { attemptId }) => attemptId, rowId: ({ id }) => id },
  asksWhether: true,
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

/**
 * Takes an intent back that was not sent, whether it is written yet or not: the task is due as if it had never been, whoever holds it. The
 * fence goes on: an intent of the old one that is still on its way is refused, and so is the end of a task that another worker has claimed
 * and is about to give up. A row with the next fence where the task goes on; none where it has ended, or others have begun another attempt.
 * May be asked again after a lost answer.
 */
export const withdrawAttempt: SharedStatement<
  [task: Claim, withdrawal: Withdrawal],
  { attemptId: string; fence: number }
> = {
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
  values: (calls) => [
    calls.map(([task]) => task.id),
    calls.map(([task]) => task.fence),
    calls.map(([, { attemptId }]) => attemptId),
    calls.map(([, { isStage }]) => isStage),
    calls.map(([, { isSentAgain }]) => isSentAgain),
    calls.map(([, { fault }]) => fault),
    calls.map(([, { detail }]) => detail),
  ],
  shared: { tally: 'withdrawals', callId: (_, { attemptId }) => attemptId, rowId: ({ attemptId }) => attemptId },
};

/**
 * Writes the intent of the next stage of an accepted job, before its paid call: until `saveOperation` or `withdrawStage` nobody knows
 * whether the upstream took it, as of an attempt that is `starting`. Needs a lease, as every intent does.
 */
export const beginStage: Whether<Statement<[task: Claim, attemptId: string], Held>> = {
  text: `
update tasks t set attempt_state = 'starting' where ${HOLDS} and t.attempt_id = $3 and t.attempt_state = 'accepted'
  and (t.lease_until > clock_timestamp()) is true
returning t.id`,
  values: ({ id, fence }, attemptId) => [id, fence, attemptId],
  asksWhether: true,
};

export interface StageWithdrawal {
  attemptId: string;
  nextStepInMs: number;
  failedStep: boolean;
}

/** The next stage was turned away for certain: the job stands where its first stage left it, and is checked again. */
export const withdrawStage: Whether<Statement<[task: Claim, withdrawal: StageWithdrawal], Held>> = {
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
  asksWhether: true,
};

export interface LateOutcome {
  usage: Usage | undefined;
  cost: VendorCost | undefined;
  /** The upstream's id of a job that it accepted after all. */
  externalId: string | undefined;
  detail: string;
}

/** Records what became known of an attempt after it was put down as unknown, and changes nothing else: the vendor's charge is the task's cost from then on, unless an operator has set that. */
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
