import { newTaskId, type TaskId } from '@mediagate/contracts';
import type { Database } from '@mediagate/database';
import { until, withoutGuards } from '@mediagate/testkit';
import {
  auditByClock,
  type ClosingStep,
  closeNextMonth,
  createFinisher,
  createSubmitter,
  sumDays,
  taskError,
} from '../src';
import { type Payer, submission } from './books';

/** The middle of the month so many months ago, by UTC, and a minute more for each call: entries of later ids are of later times. */
export function createCalendar() {
  let minutes = 0;
  return (monthsAgo: number): Date => {
    const now = new Date();
    minutes += 1;
    return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - monthsAgo, 10, 0, minutes));
  };
}

export const monthName = (at: Date): string => at.toISOString().slice(0, 7);

/** Books a task as of a moment. `idAt`: by the clock of the process that makes its id. */
export async function submitAt(database: Database, payer: Payer, at: Date, idAt = at): Promise<TaskId> {
  const taskId = newTaskId(idAt.getTime());
  const outcome = await createSubmitter(database)(submission(payer, 100n, { taskId }));
  if (outcome.kind !== 'accepted') throw new Error(outcome.kind);
  await moveTo(database, at);
  return taskId;
}

/** Ends a task as of a moment. Undefined: with a refund. */
export async function endAt(
  database: Database,
  {
    taskId,
    accountId,
    at,
    chargeNano,
  }: { taskId: TaskId; accountId: string; at: Date; chargeNano?: bigint | undefined },
): Promise<void> {
  const outcome =
    chargeNano === undefined
      ? ({ kind: 'failed', error: taskError('upstream_error') } as const)
      : ({ kind: 'completed', costNano: chargeNano, units: { per_image: 1_000_000_000n }, result: {} } as const);
  await createFinisher(database)({ taskId, accountId, fence: 'any', outcome });
  await moveTo(database, at);
}

/** Moves what was booked within the last minutes. */
export async function moveTo(database: Database, at: Date): Promise<void> {
  const time = `'${at.toISOString()}'::timestamptz`;
  const young = (column: string) => `${column} > now() - interval '1 day'`;
  await withoutGuards(
    database,
    `update ledger_entries set created_at = ${time} where ${young('created_at')}`,
    `update reservations set resolved_at = ${time} where ${young('resolved_at')}`,
    `update reservations set created_at = ${time}, expires_at = now() + interval '1 day' where ${young('created_at')}`,
    `update tasks set created_at = ${time} where ${young('created_at')}`,
  );
}

/** Has the books audited until all entries are sealed, as the reconciler does by and by: transactions of other tests may be open. */
export function auditUntilSealed(database: Database): Promise<boolean> {
  return until(async () => {
    await auditByClock(database, { everyMs: 0 });
    const [seal] = await database.readSeal();
    return seal?.sealedTo === seal?.newest;
  }, 'all entries are sealed');
}

/** Closes all months that can be closed. Returns what ended that, and the digests by month. */
export async function closeAll(
  database: Database,
  pieceEntries = 7,
): Promise<{ last: ClosingStep; digests: string[] }> {
  await auditUntilSealed(database);
  const digests: string[] = [];
  for (;;) {
    const step = await closeNextMonth(database, { pieceEntries });
    if (step.kind === 'waits' || step.kind === 'none') return { last: step, digests };
    if (step.kind === 'closed') digests.push(step.digest);
  }
}

/** Sums up days and removes the records of tasks, as the reconciler does before it prunes the books. */
export async function forgetTasks(database: Database): Promise<void> {
  while ((await sumDays(database, { limit: 1000 })).more);
  while ((await database.pruneTasks(86_400_000, 1000)).length > 0);
}
