import { type JsonObject, nanoToNumber, type TaskId, unixSeconds } from '@mediagate/contracts';
import type { Database, LedgerRow, SeenEntry, Visibility } from '@mediagate/database';

export interface LedgerQuery {
  /** Limits the page to this task's entries. */
  taskId?: TaskId | undefined;
  /** Where the page before it ended. */
  before?: bigint | undefined;
  limit: number;
}

export interface LedgerPage {
  rows: LedgerRow[];
  /** Where the next page begins; undefined: this is the last. */
  next: bigint | undefined;
}

/** Above every id. */
const NEWEST = 2n ** 63n - 1n;
/** Entries of the account that a page for a key of the scope `own` looks at; then it ends short, and the next one continues. */
const SCAN_MAX_ROWS = 5000;

/** Lists the account's entries that `who` sees, the newest first. */
export async function listLedger(database: Database, who: Visibility, query: LedgerQuery): Promise<LedgerPage> {
  const { taskId, before = NEWEST, limit } = query;
  // One more tells whether there are more.
  const page = { before, limit: limit + 1 };
  if (taskId !== undefined) return toPage(await database.listTaskLedger(who, taskId, page), limit);
  if (who.ownKeyId === null) return toPage(await database.listLedger(who.accountId, page), limit);
  const seen = await database.listSeenLedger(who, { ...page, scanRows: SCAN_MAX_ROWS });
  const rows = seen.filter((entry): entry is SeenEntry & LedgerRow => entry.id !== null);
  return toPage(rows, limit, seen[0]?.lookedUntil ?? undefined);
}

function toPage(found: LedgerRow[], limit: number, lookedUntil?: bigint): LedgerPage {
  const rows = found.slice(0, limit);
  return { rows, next: found.length > limit ? rows.at(-1)?.id : lookedUntil };
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
