import {
  exactSeconds,
  exactSecondsOrNull,
  type Json,
  type Nano,
  nanoToNumber,
  type RecordOptions,
  type TaskId,
  type TaskRecord,
  toTaskRecord,
} from '@mediagate/contracts';
import type { Database, TaskHistory, TaskRow } from '@mediagate/database';
import { timelineOf } from './task-timeline';

/** One statement sees one moment: a completed task is never shown with money still held. */
export async function readTaskHistory(database: Database, id: TaskId): Promise<TaskHistory | undefined> {
  const [row] = await database.readTaskHistory(id);
  return row;
}

/** The specification's record, with what an operator asks next. Amounts in currency units, times in Unix seconds. */
export function describeTaskHistory(task: TaskHistory, options: RecordOptions) {
  const { reservation, ledger, attempts, delivery } = task;
  return {
    ...toShownRecord(task, options),
    account_id: task.accountId,
    key_id: task.keyId,
    family: task.family,
    request_id: task.requestId,
    failed_steps: task.failedSteps,
    next_step_at: exactSeconds(task.nextStepAt),
    lease_until: exactSecondsOrNull(task.leaseUntil),
    deadline_at: exactSeconds(task.deadlineAt),
    reservation: reservation && {
      state: reservation.state,
      amount: units(reservation.amount),
      settled: reservation.settled === null ? null : units(reservation.settled),
      expires_at: exactSeconds(reservation.expires_at),
      resolved_at: exactSecondsOrNull(reservation.resolved_at),
    },
    ledger: ledger.map((entry) => describeEntry(entry, task)),
    attempts: attempts.map((attempt) => describeAttempt(attempt, task)),
    delivery: delivery && describeDelivery(delivery),
    timeline: timelineOf(task).map(({ at, ...event }) => ({ at: exactSeconds(at), ...event })),
  } satisfies Record<string, Json | object | undefined>;
}

/** A task as operators see it: what it made is its account's, and shown by an operation of its own. */
export function toShownRecord(row: TaskRow, options: RecordOptions): Omit<TaskRecord, 'result'> {
  const { result: _, ...record } = toTaskRecord(row, options);
  return record;
}

/** As `GET /v1/ledger` shows it. */
function describeEntry(entry: TaskHistory['ledger'][number], { id, isTest }: TaskHistory) {
  return {
    id: entry.id,
    created: Math.floor(exactSeconds(entry.created_at)),
    kind: entry.kind,
    amount: units(entry.amount),
    change: units(entry.change),
    balance_after: entry.balance_after === null ? null : units(entry.balance_after),
    task_id: id,
    key_id: entry.key_id,
    ...(isTest ? { test: true } : {}),
  };
}

function describeAttempt({ cost, ...attempt }: TaskHistory['attempts'][number], { failedSteps }: TaskHistory) {
  // A good check since then says nothing of the fault of an earlier one.
  const isPast = attempt.state === 'accepted' && failedSteps === 0;
  const shown = isPast ? { ...attempt, fault: null, detail: null } : attempt;
  return { ...inSeconds(shown), cost: cost === null ? null : units(cost) };
}

function describeDelivery({ created_at, ended_at, attempts, ...same }: NonNullable<TaskHistory['delivery']>) {
  const [created, endedAt] = [exactSeconds(created_at), exactSecondsOrNull(ended_at)];
  return { ...same, created, ended_at: endedAt, attempts: attempts.map(inSeconds) };
}

function inSeconds<Row extends { started_at: string; ended_at: string | null }>({ started_at, ended_at, ...row }: Row) {
  return { ...row, started_at: exactSeconds(started_at), ended_at: exactSecondsOrNull(ended_at) };
}

function units(nano: string): number {
  return nanoToNumber(BigInt(nano) satisfies Nano);
}
