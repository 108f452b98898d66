import {
  describeEntryToOperators,
  describeKept,
  type LedgerQuery,
  type LedgerRow,
  listLedger,
} from '@mediagate/billing';
import { nanoToDecimal } from '@mediagate/contracts';
import { readAccount } from '@mediagate/identity';
import { Refusal } from '../refusal';
import type { Answer, Session } from '../session';
import { textTable } from '../text-table';

/** Bookings on an account, the newest first. */
export async function list(session: Session, accountId: string, query: LedgerQuery): Promise<Answer> {
  const database = await session.openDatabase();
  if (!(await readAccount(database, accountId))) throw new Refusal(`there is no account ${accountId}`);
  const { rows, next, keptSince } = await listLedger(database, { accountId, ownKeyId: null }, query);
  if (next !== undefined) session.warn(`there are older ones: --before ${next} goes on`);
  if (keptSince !== undefined)
    session.warn(`entries of tasks that ended before ${keptSince.toISOString()} may be removed`);
  return {
    json: {
      entries: rows.map(describeEntryToOperators),
      next: next === undefined ? null : String(next),
      ...describeKept({ keptSince }),
    },
    text: textTable(
      ['ENTRY', 'TIME', 'KIND', 'AMOUNT', 'CHANGE', 'BALANCE', 'TASK', 'KEY', 'REFERENCE', 'REASON'],
      rows.map(rowOf),
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
