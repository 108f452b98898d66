import type { TaskId } from '@mediagate/contracts';
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
