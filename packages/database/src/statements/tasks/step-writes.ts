import type { FaultCode, JsonObject, Pending, VendorCost } from '@mediagate/contracts';
import type { SharedStatement, Statement, Whether } from '../../statement';
import { afterMs } from './after-ms';
import { type Claim, HELD_BY_ITEMS, IS_OPEN, KEPT_NOW } from './task-row';

/** The claim holds while the row is unfinished and carries the fence; the row lock makes the test and the write one. */
export const HOLDS = `t.id = $1 and t.fence = $2 and ${IS_OPEN}`;

/** A row: the claim held. */
export type Held = { id: string };

/**
 * Renews a lease. Does nothing once the step was concluded: a renewal that arrives late must not keep the next step from being claimed. A step
 * keeps one end at most, so that of two renewals of it in one statement one has an end.
 *
 * @param keptEnd how the task ends if this process is gone, made by `keepEnd`; undefined: as it was kept before.
 */
export const renewTaskLease: Whether<SharedStatement<[task: Claim, leaseMs: number, keptEnd?: string], Claim>> = {
  text: `
with item as materialized (
  select task_id, fence, max(lease_ms) as lease_ms, max(kept_end) as kept_end
  from unnest($1::text[], $2::int[], $3::float8[], $4::text[]) as i(task_id, fence, lease_ms, kept_end) group by task_id, fence
),
held as materialized (${HELD_BY_ITEMS})
update tasks t set lease_until = ${afterMs('h.lease_ms')},
  end_if_abandoned = coalesce(h.kept_end::jsonb || ${KEPT_NOW}, t.end_if_abandoned)
from held h
where t.id = h.id and h.present_fence = h.fence and t.lease_until is not null
returning t.id, t.fence`,
  values: (calls) => [
    calls.map(([task]) => task.id),
    calls.map(([task]) => task.fence),
    calls.map(([, leaseMs]) => leaseMs),
    calls.map(([, , keptEnd]) => keptEnd ?? null),
  ],
  shared: { tally: 'renewals', callId: claimId, rowId: claimId },
  asksWhether: true,
};

function claimId({ id, fence }: Claim): string {
  return `${id} ${fence}`;
}

/** Gives back a claim under which nothing was done. The step has not died with its worker, nor has it failed: whoever can takes it after a pause. */
export const returnTaskClaim: Whether<Statement<[task: Claim, nextStepInMs: number], Held>> = {
  text: `
update tasks t set lease_until = null, next_step_at = ${afterMs('$3')} where ${HOLDS} returning t.id`,
  values: ({ id, fence }, nextStepInMs) => [id, fence, nextStepInMs],
  asksWhether: true,
};

/** Makes a task due now, if nobody has claimed it since its claim was given back. */
export const recallTask: Whether<Statement<[task: Claim], Held>> = {
  text: `
update tasks t set next_step_at = date_trunc('milliseconds', now()) where ${HOLDS} and t.lease_until is null returning t.id`,
  values: ({ id, fence }) => [id, fence],
  asksWhether: true,
};

export interface Postponed {
  phase: Pending['phase'];
  progress: number | undefined;
  operation: JsonObject | undefined;
  nextStepInMs: number;
  /** This step found nothing out (an unreadable answer, a network fault). A good check starts the count anew. */
  failedStep: boolean;
  /** Why it was put off: the attempt says so until it ends; undefined: nothing went wrong. */
  fault?: { code: FaultCode; detail: string; answer?: string } | undefined;
}

/** Puts off the next step, after a check that found the upstream still at work. */
export const postponeTask: Whether<SharedStatement<[task: Claim, check: Postponed], Held>> = {
  text: `
with item as materialized (
  select * from unnest($1::text[], $2::int[], $3::float8[], $4::text[], $5::int[], $6::text[], $7::boolean[], $8::text[], $9::text[], $10::text[])
    as i(task_id, fence, next_step_in_ms, phase, progress, operation, failed_step, fault, detail, answer)
),
held as materialized (${HELD_BY_ITEMS}),
task as (
update tasks t set lease_until = null, next_step_at = now() + make_interval(secs => h.next_step_in_ms / 1000),
  parked = h.phase = 'parked', status = case when h.phase = 'running' then 'processing' else t.status end,
  progress = greatest(t.progress, least(h.progress, 99)),
  upstream_operation = coalesce(h.operation::jsonb, t.upstream_operation),
  failed_steps = case when h.failed_step then t.failed_steps + 1
    when t.attempt_state = 'accepted' then 0 else t.failed_steps end,
  lost_steps = 0
from held h
where t.id = h.id and h.present_fence = h.fence
returning t.id, t.attempt_id, h.fault, h.detail, h.answer
),
explained as (
  update task_attempts a set fault = task.fault, detail = task.detail, answer = coalesce(task.answer, a.answer)
  from task where task.fault is not null and a.id = task.attempt_id and (a.state = 'accepted') is true
)
select id from task`,
  values: (calls) => [
    calls.map(([task]) => task.id),
    calls.map(([task]) => task.fence),
    calls.map(([, { nextStepInMs }]) => nextStepInMs),
    calls.map(([, { phase }]) => phase),
    calls.map(([, { progress }]) => progress ?? 0),
    calls.map(([, { operation }]) => (operation === undefined ? null : JSON.stringify(operation))),
    calls.map(([, { failedStep }]) => failedStep),
    calls.map(([, { fault }]) => fault?.code ?? null),
    calls.map(([, { fault }]) => fault?.detail ?? null),
    calls.map(([, { fault }]) => fault?.answer ?? null),
  ],
  shared: { tally: 'postponements', callId: ({ id }) => id, rowId: ({ id }) => id },
  asksWhether: true,
};

export interface AttemptRefusal {
  attemptId: string | undefined;
  fault: FaultCode;
  detail: string;
  requestIds: string[];
  nextStepInMs: number;
  triedChannels: string[];
  barredChannels: string[];
  /** The vendor's answer, redacted. */
  answer?: string | undefined;
  /** The charge that the vendor names all the same. */
  cost?: VendorCost | undefined;
  failedStep: boolean;
  /** The task only waits for its turn to start on a channel, and is there in time for a slot that is kept for it. */
  keepsSlot?: boolean | undefined;
}

/**
 * Gives up an attempt that ended without a result; the task goes on, at another channel or at the same ones later. A vendor that had accepted the job may charge for it: the cost is not known, unless the vendor says it. A slot
 * kept for the task goes to others.
 */
export const giveUpAttempt: Whether<Statement<[task: Claim, refusal: AttemptRefusal], Held>> = {
  text: `
with task as (
  update tasks t set attempt_state = null, upstream_operation = null, lease_until = null, next_step_at = ${afterMs('$7')},
    tried_channels = $8::text[], failed_steps = t.failed_steps + $9::int, barred_channels = $10::text[],
    -- A step without an attempt may have ended before it came to what kills workers.
    lost_steps = case when $3::text is null then t.lost_steps else 0 end
  where ${HOLDS} returning t.id
),
attempt as (
  update task_attempts a set state = 'refused', fault = $4, detail = $5, answer = $11, ended_at = now(),
    cost_nano = coalesce($13::bigint, case a.state when 'starting' then 0 end), cost_origin = coalesce($14::text, a.cost_origin),
    request_ids = a.request_ids || $6::text[]
  from task where a.id = $3 and a.task_id = task.id
),
released as (
  update slot_waiters w set kept_on = null, kept_until = null, turn_at = now() + interval '30 seconds'
  from task where w.task_id = task.id and w.kept_until is not null and not $12::boolean
)
select id from task`,
  values: ({ id, fence }, refusal) => [
    id,
    fence,
    refusal.attemptId ?? null,
    refusal.fault,
    refusal.detail,
    refusal.requestIds,
    refusal.nextStepInMs,
    refusal.triedChannels,
    refusal.failedStep ? 1 : 0,
    refusal.barredChannels,
    refusal.answer ?? null,
    refusal.keepsSlot === true,
    refusal.cost?.nano ?? null,
    refusal.cost?.origin ?? null,
  ],
  asksWhether: true,
};
