import { type JsonObject, nanoToNumber, type TaskId, unixSeconds } from '@mediagate/contracts';
import { type Database, type LedgerRow, type Page, readPage, type Visibility } from '@mediagate/database';
import { readKeptSince } from './kept-bookings';

export interface LedgerQuery {
  /** Limits the page to this task's entries. */
  taskId?: TaskId | undefined;
  /** Where the page before it ended. */
  before?: bigint | undefined;
  limit: number;
}

export interface LedgerPage extends Page<LedgerRow, bigint> {
  /** Entries of tasks that ended since then are all there; undefined: none were ever removed. */
  keptSince: Date | undefined;
}

/** Above every id. */
const NEWEST = 2n ** 63n - 1n;
/** Entries of the account that a page for a key of the scope `own` looks at; then it ends short, and the next one continues. */
const SCAN_MAX_ROWS = 5000;

/** Lists the account's entries that `who` sees, the newest first, and says since when those of tasks are all there. */
export async function listLedger(database: Database, who: Visibility, query: LedgerQuery): Promise<LedgerPage> {
  const page = await readEntries(database, who, query);
  return { ...page, keptSince: await readKeptSince(database) };
}

function readEntries(
  database: Database,
  who: Visibility,
  { taskId, before = NEWEST, limit: pageLimit }: LedgerQuery,
): Promise<Page<LedgerRow, bigint>> {
  return readPage<LedgerRow>(pageLimit, (limit) => {
    const page = { before, limit };
    if (taskId !== undefined) return database.listTaskLedger(who, taskId, page);
    if (who.ownKeyId === null) return database.listLedger(who.accountId, page);
    return database.listSeenLedger(who, { ...page, scanRows: SCAN_MAX_ROWS });
  });
}

/** The end of a page, as its answer says it. */
export function describeKept({ keptSince }: Pick<LedgerPage, 'keptSince'>): JsonObject {
  return { complete_since: keptSince === undefined ? null : unixSeconds(keptSince) };
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
