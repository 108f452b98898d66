import { type JsonObject, nanoToNumber, type TaskId, unixSeconds } from '@mediagate/contracts';
import type { Database, LedgerRow } from '@mediagate/database';

export interface LedgerPage {
  /** Of one task alone. */
  taskId?: TaskId | undefined;
  /** The id of the last entry of the page before. */
  before?: bigint | undefined;
  limit: number;
}

/** Above every id. */
const NEWEST = 2n ** 63n - 1n;

/** What was booked on the account, the newest first. */
export async function listLedger(
  database: Database,
  accountId: string,
  { taskId, before = NEWEST, limit }: LedgerPage,
): Promise<LedgerRow[]> {
  if (taskId === undefined) return await database.listLedger(accountId, { before, limit });
  return await database.listTaskLedger(accountId, taskId, { before, limit });
}

/** With what operators have written about it. */
export function describeEntryToOperators(row: LedgerRow): JsonObject {
  return { ...describeEntry(row), reference: row.reference, reason: row.note };
}

export function describeEntry(row: LedgerRow): JsonObject {
  const { id, createdAt, kind, amountNano, changeNano, balanceAfterNano, taskId, keyId, isTest } = row;
  return {
    id: String(id),
    created: unixSeconds(createdAt),
    kind,
    amount: nanoToNumber(amountNano),
    change: nanoToNumber(changeNano),
    balance_after: balanceAfterNano === null ? null : nanoToNumber(balanceAfterNano),
    task_id: taskId,
    key_id: keyId,
    ...(isTest ? { test: true } : {}),
  };
}
