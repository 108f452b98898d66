import { type Nano, nanoToNumber, type TaskId } from '@mediagate/contracts';
import type { Database, TaskHistory } from '@mediagate/database';
import { toTaskRecord } from '@mediagate/tasks';

/** One statement sees one moment: a completed task is never shown with money still held. */
export async function readTaskHistory(database: Database, id: TaskId): Promise<TaskHistory | undefined> {
  const [row] = await database.readTaskHistory(id);
  return row;
}

/** The specification's record, with what an operator asks next. */
export function toJson(task: TaskHistory, creditsPerUnit: number) {
  const { reservation, ledger, attempts } = task;
  return {
    ...toTaskRecord(task, { creditsPerUnit }),
    account_id: task.accountId,
    key_id: task.keyId,
    family: task.family,
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
    attempts: attempts.map((attempt) => ({
      ...attempt,
      started_at: iso(attempt.started_at),
      ended_at: isoOrNull(attempt.ended_at),
    })),
  };
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
