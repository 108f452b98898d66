import { closeNextMonth } from '@mediagate/billing';
import { exactSeconds, nanoToDecimal, nanoToNumber } from '@mediagate/contracts';
import type { ClosedMonthRow, Database, MonthObstacle } from '@mediagate/database';
import { audited } from '../audited';
import { Refusal } from '../refusal';
import type { Answer, Session } from '../session';
import { textTable } from '../text-table';

const OBSTACLES: Record<MonthObstacle, string> = {
  too_early: 'it has to have ended a day ago',
  tasks_open: 'a task of it has not ended',
  not_audited: 'the reconciler has not audited all of its entries yet: try again in some minutes',
  faults_found: 'the last audit found violations: mend them, and have the books audited again',
};

/** Closes a month, and those before it that are not closed. */
export async function close(session: Session, month: string): Promise<Answer> {
  const database = await session.openDatabase();
  const before = await findClosed(database, month);
  if (before) return answerOf([before]);
  const action = { name: 'books.close', subject: month };
  await audited(session, database, action, () => closeUpTo(database, month));
  const closed = await findClosed(database, month);
  if (!closed) throw new Error(`the month ${month} was closed and is not there`);
  return answerOf([closed]);
}

async function findClosed(database: Database, month: string): Promise<ClosedMonthRow | undefined> {
  return (await database.listClosedMonths()).find((row) => row.month === month);
}

/** The reconciler, or another operator, may take steps beside it, the last one, too. */
async function closeUpTo(database: Database, month: string): Promise<{ id: string }> {
  for (;;) {
    const step = await closeNextMonth(database, { upTo: month });
    if (step.kind === 'begun' || step.kind === 'sealed') continue;
    if (await findClosed(database, month)) return { id: month };
    if (step.kind === 'waits')
      throw new Refusal(`the month ${step.month} cannot be closed: ${OBSTACLES[step.obstacle]}`);
    if (step.kind === 'none') throw new Refusal(`the books have no entry of ${month} or before that is not closed`);
  }
}

/** The closed months, the oldest first. */
export async function list(session: Session): Promise<Answer> {
  const database = await session.openDatabase();
  const rows = await database.listClosedMonths();
  return { ...answerOf(rows), json: { months: rows.map(describeMonth) } };
}

function answerOf(rows: readonly ClosedMonthRow[]): Answer {
  const lines = rows.map(({ month, closedAt, digest, entries, isPruned, ...sums }) => [
    month,
    closedAt.toISOString(),
    String(entries),
    ...[sums.toppedUpNano, sums.adjustedNano, sums.chargedNano].map(nanoToDecimal),
    isPruned ? 'removed' : 'kept',
    digest,
  ]);
  const headings = ['MONTH', 'CLOSED', 'ENTRIES', 'PAID', 'ADJUSTED', 'CHARGED', 'ENTRIES OF TASKS', 'DIGEST'];
  return { json: rows.map(describeMonth)[0], text: textTable(headings, lines) };
}

function describeMonth({ month, closedAt, digest, accounts, entries, isPruned, ...sums }: ClosedMonthRow) {
  return {
    month,
    closed_at: exactSeconds(closedAt),
    accounts: Number(accounts),
    entries: Number(entries),
    paid: nanoToNumber(sums.toppedUpNano),
    adjusted: nanoToNumber(sums.adjustedNano),
    charged: nanoToNumber(sums.chargedNano),
    entries_of_tasks: isPruned ? 'removed' : 'kept',
    digest,
  };
}
