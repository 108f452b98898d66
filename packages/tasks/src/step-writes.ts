import type { FaultCode, Usage } from '@mediagate/contracts';
import type { Database, Statement } from '@mediagate/database';
import type { AttemptBegin, Claim } from './attempt-begin';
import { createAttemptBeginner } from './begin-attempts';
import { findRoom, type LimitedChannel } from './find-room';
import { createPostponer, type Postponed } from './postpone-tasks';
import { type Accepted, createOperationSaver } from './save-operations';
import { IS_OPEN, type TaskRow } from './task-row';

/**
 * What a worker writes between its claim and the end of a task. Every statement carries the fence and refuses a terminal
 * task, and tells by its answer whether the claim still held: `false` means that this worker must stop, whatever it did.
 */
export interface StepWrites {
  renewLease(task: Claim, leaseMs: number): Promise<boolean>;
  /** Whether one of the channels has fewer jobs than it may, for what is not worth doing before. Nothing is written. */
  hasRoom(channels: readonly LimitedChannel[]): Promise<boolean>;
  /** Before the paid call. `at_capacity`: the channel runs as much as it may, over all processes; nothing was written. */
  beginAttempt(task: Claim, attempt: AttemptBegin): Promise<'begun' | 'at_capacity' | 'lost'>;
  /** Straight after the upstream accepted: from here on the job is only ever checked. Failed steps count anew. */
  saveOperation(task: Claim, accepted: Accepted): Promise<boolean>;
  /**
   * The intent of the next stage of an accepted job, before its paid call: until `saveOperation` or `withdrawStage` nobody
   * knows whether the upstream took it, as of an attempt that is `starting`.
   */
  beginStage(task: Claim, attemptId: string): Promise<boolean>;
  /** The next stage was turned away for certain: the job stands where its first stage left it, and is checked again. */
  withdrawStage(task: Claim, withdrawal: StageWithdrawal): Promise<boolean>;
  /** A check that found the upstream still at work. */
  postpone(task: Claim, check: Postponed): Promise<boolean>;
  /** The attempt ended without a result and the task goes on: another channel, or the same ones later. */
  giveUpAttempt(task: Claim, refusal: AttemptRefusal): Promise<boolean>;
  /** What became known of an attempt after it was put down as unknown: kept for the books, changes nothing else. */
  recordLateOutcome(attemptId: string, late: LateOutcome): Promise<void>;
  /**
   * Makes due the task that has waited longest for a place among those that its key may run at once. One that is due
   * already is on its way to a place, so two places that come free together go to two tasks.
   */
  releaseHeldBack(ended: Pick<TaskRow, 'keyId' | 'family'>): Promise<Claim | undefined>;
}

export interface AttemptRefusal {
  attemptId: string | undefined;
  fault: FaultCode;
  detail: string;
  requestIds: string[];
  nextStepInMs: number;
  triedChannels: string[];
  barredChannels: string[];
  failedStep: boolean;
}

export interface StageWithdrawal {
  attemptId: string;
  nextStepInMs: number;
  failedStep: boolean;
}

export interface LateOutcome {
  usage: Usage | undefined;
  /** The upstream's id of a job that it accepted after all. */
  externalId: string | undefined;
  detail: string;
}

/** The claim holds while the row is unfinished and carries the fence; the row lock makes the test and the write one. */
const HOLDS = `t.id = $1 and t.fence = $2 and ${IS_OPEN}`;
const IN_MS = (parameter: string) => `now() + make_interval(secs => ${parameter}::float8 / 1000)`;

/** Not once the step was concluded: a renewal that arrives late must not keep the next step from being claimed. */
const RENEW: Statement = {
  name: 'tasks.renew_lease',
  text: `
update tasks t set lease_until = ${IN_MS('$3')} where ${HOLDS} and t.lease_until is not null returning t.id`,
};

const BEGIN_LIMITED: Statement = {
  name: 'tasks.begin_attempt_limited',
  text: 'select begin_limited_attempt($1, $2, $3, $4, $5, $6) as outcome',
};

const BEGIN_STAGE: Statement = {
  name: 'tasks.begin_stage',
  text: `
update tasks t set attempt_state = 'starting' where ${HOLDS} and t.attempt_id = $3 and t.attempt_state = 'accepted'
returning t.id`,
};

const WITHDRAW_STAGE: Statement = {
  name: 'tasks.withdraw_stage',
  text: `
update tasks t set attempt_state = 'accepted', lease_until = null, next_step_at = ${IN_MS('$4')},
  failed_steps = t.failed_steps + $5::int
where ${HOLDS} and t.attempt_id = $3 and t.attempt_state = 'starting' returning t.id`,
};

const GIVE_UP_ATTEMPT: Statement = {
  name: 'tasks.give_up_attempt',
  text: `
with task as (
  update tasks t set attempt_state = null, upstream_operation = null, lease_until = null, next_step_at = ${IN_MS('$7')},
    tried_channels = $8::text[], failed_steps = t.failed_steps + $9::int, barred_channels = $10::text[]
  where ${HOLDS} returning t.id
),
attempt as (
  update task_attempts a set state = 'refused', fault = $4, detail = $5, ended_at = now(),
    request_ids = a.request_ids || $6::text[]
  from task where a.id = $3 and a.task_id = task.id
)
select id from task`,
};

const RECORD_LATE: Statement = {
  name: 'tasks.record_late_outcome',
  text: `
update task_attempts a set usage = coalesce($2::jsonb, a.usage), external_id = coalesce(a.external_id, $3),
  detail = left(concat_ws('; ', a.detail, 'late: ' || $4), 500)
where a.id = $1 and a.state = 'unknown'`,
};

/** The column rounds to milliseconds, upwards too: cut off, the time has come for the very next statement. */
const RELEASE_HELD_BACK: Statement = {
  name: 'tasks.release_held_back',
  text: `
update tasks t set next_step_at = date_trunc('milliseconds', now())
where t.id = (
  select w.id from tasks w where w.key_id = $1 and w.family = $2 and w.status = 'submitted'
    and w.status not in ('completed', 'failed')
    and w.next_step_at > now()
  order by w.id limit 1 for update skip locked
)
returning t.id, t.fence`,
};

export function createStepWrites(database: Database): StepWrites {
  const holds = async (statement: Statement, values: unknown[]) => (await database.query(statement, values)).length > 0;
  const beginTogether = createAttemptBeginner(database);
  const saveTogether = createOperationSaver(database);
  const postponeTogether = createPostponer(database);

  return {
    renewLease: (task, leaseMs) => holds(RENEW, [task.id, task.fence, leaseMs]),
    hasRoom: (channels) => findRoom(database, channels),
    async beginAttempt(task, attempt) {
      if (attempt.maxConcurrency === undefined) return beginTogether({ ...attempt, task });
      type Row = { outcome: 'begun' | 'at_capacity' | 'lost' };
      const values = [task.id, task.fence, attempt.attemptId, attempt.channelId, attempt.protocol];
      const [row] = await database.query<Row>(BEGIN_LIMITED, [...values, attempt.maxConcurrency]);
      return row?.outcome ?? 'lost';
    },
    saveOperation: (task, accepted) => saveTogether({ ...accepted, task }),
    beginStage: (task, attemptId) => holds(BEGIN_STAGE, [task.id, task.fence, attemptId]),
    withdrawStage: (task, { attemptId, nextStepInMs, failedStep }) =>
      holds(WITHDRAW_STAGE, [task.id, task.fence, attemptId, nextStepInMs, failedStep ? 1 : 0]),
    postpone: (task, check) => postponeTogether({ ...check, task }),
    giveUpAttempt: (task, refusal) =>
      holds(GIVE_UP_ATTEMPT, [
        ...[task.id, task.fence, refusal.attemptId ?? null, refusal.fault, refusal.detail, refusal.requestIds],
        ...[refusal.nextStepInMs, refusal.triedChannels, refusal.failedStep ? 1 : 0, refusal.barredChannels],
      ]),
    async releaseHeldBack({ keyId, family }) {
      const [next] = await database.query<Claim>(RELEASE_HELD_BACK, [keyId, family]);
      return next;
    },
    async recordLateOutcome(attemptId, { usage, externalId, detail }) {
      const usageText = usage === undefined ? null : JSON.stringify(usage);
      await database.query(RECORD_LATE, [attemptId, usageText, externalId ?? null, detail]);
    },
  };
}
