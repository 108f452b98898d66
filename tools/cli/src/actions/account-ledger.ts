import { describeEntryToOperators, type LedgerPage, type LedgerRow, listLedger, readAccount } from '@mediagate/billing';
import { nanoToDecimal } from '@mediagate/contracts';
import { Refusal } from '../refusal';
import type { Answer, Session } from '../session';
import { textTable } from '../text-table';

/** What was booked on an account, the newest first. */
export async function list(session: Session, accountId: string, { limit, ...page }: LedgerPage): Promise<Answer> {
  const database = await session.openDatabase();
  if (!(await readAccount(database, accountId))) throw new Refusal(`there is no account ${accountId}`);
  // One more tells whether there are more.
  const rows = await listLedger(database, accountId, { ...page, limit: limit + 1 });
  const shown = rows.slice(0, limit);
  const next = rows.length > limit ? shown.at(-1)?.id : undefined;
  if (next !== undefined) session.warn(`there are older ones: --before ${next} goes on`);
  return {
    json: { entries: shown.map(describeEntryToOperators), next: next === undefined ? null : String(next) },
    text: textTable(
      ['ENTRY', 'TIME', 'KIND', 'AMOUNT', 'CHANGE', 'BALANCE', 'TASK', 'KEY', 'REFERENCE', 'REASON'],
      shown.map(rowOf),
    ),
  };
}

function rowOf(entry: LedgerRow): string[] {
  const { id, createdAt, kind, amountNano, changeNano, balanceAfterNano, taskId, keyId, reference, note } = entry;
  const balance = balanceAfterNano === null ? '' : nanoToDecimal(balanceAfterNano);
  const amounts = [nanoToDecimal(amountNano), nanoToDecimal(changeNano), balance];
  return [
    String(id),
    createdAt.toISOString(),
    kind,
    ...amounts,
    taskId ?? '',
    keyId ?? '',
    reference ?? '',
    note ?? '',
  ];
}
