import { type Json, type Nano, nanoToNumber, type TaskId } from '@mediagate/contracts';
import type { Database, TaskHistory } from '@mediagate/database';
import { type RecordOptions, toTaskRecord } from './task-record';
import { timelineOf } from './task-timeline';

/** One statement sees one moment: a completed task is never shown with money still held. */
export async function readTaskHistory(database: Database, id: TaskId): Promise<TaskHistory | undefined> {
  const [row] = await database.readTaskHistory(id);
  return row;
}

/** The specification's record, with what an operator asks next. Amounts in currency units, times as ISO 8601. */
export function describeTaskHistory(task: TaskHistory, options: RecordOptions) {
  const { reservation, ledger, attempts, delivery } = task;
  return {
    ...toTaskRecord(task, options),
    account_id: task.accountId,
    key_id: task.keyId,
    family: task.family,
    request_id: task.requestId,
    failed_steps: task.failedSteps,
    next_step_at: task.nextStepAt.toISOString(),
    lease_until: task.leaseUntil?.toISOString() ?? null,
    deadline_at: task.deadlineAt.toISOString(),
    reservation: reservation && {
      state: reservation.state,
      amount: units(reservation.amount),
      settled: reservation.settled === null ? null : units(reservation.settled),
      expires_at: iso(reservation.expires_at),
      resolved_at: isoOrNull(reservation.resolved_at),
    },
    ledger: ledger.map(({ kind, amount, created_at }) => ({
      kind,
      amount: units(amount),
      created_at: iso(created_at),
    })),
    attempts: attempts.map(inIso),
    delivery: delivery && {
      ...delivery,
      created_at: iso(delivery.created_at),
      ended_at: isoOrNull(delivery.ended_at),
      attempts: delivery.attempts.map(inIso),
    },
    timeline: timelineOf(task).map(({ at, ...event }) => ({ at: iso(at), ...event })),
  } satisfies Record<string, Json | object | undefined>;
}

function inIso<Row extends { started_at: string; ended_at: string | null }>(row: Row): Row {
  return { ...row, started_at: iso(row.started_at), ended_at: isoOrNull(row.ended_at) };
}

function units(nano: string): number {
  return nanoToNumber(BigInt(nano) satisfies Nano);
}

function iso(time: string): string {
  return new Date(time).toISOString();
}

function isoOrNull(time: string | null): string | null {
  return time === null ? null : iso(time);
}
