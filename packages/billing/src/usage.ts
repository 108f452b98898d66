import { CLOCKS_MS, type Database, isStatementTimeout, type UsageQuery, type UsageRow } from '@mediagate/database';
import { type KeptDoor, requireKept } from './kept-bookings';

type UsageDoor = Pick<Database, 'sumUsage' | 'sumUsageOfEach'> & KeptDoor;

const DAY_MS = 86_400_000;
const SHORTEST_MS = 60_000;
/** A statement that took less has time for twice as much. */
const QUICK_MS = 200;

/**
 * Sums up the tasks that an account submitted in a time, by group. Groups beyond the limit are left out. The time is summed up piece by
 * piece, each as long as its statement has time for, so that an account with millions of tasks keeps no connection for long.
 *
 * @returns undefined when all of it took longer than `withinMs`.
 * @throws BookingsRemovedError when it needs single bookings of a time of which there are only sums.
 */
export async function sumUsage(
  database: UsageDoor,
  query: UsageQuery,
  { withinMs }: { withinMs: number },
): Promise<UsageRow[] | undefined> {
  const giveUpAt = performance.now() + withinMs;
  const groups = new Map<string, UsageRow>();
  let pieceMs = DAY_MS;
  for (let from = query.from; from < query.to; ) {
    const startedAt = performance.now();
    if (startedAt > giveUpAt) return undefined;
    const to = endOfPiece(from, query.to, pieceMs);
    const rows = await sumPiece(database, { ...query, from, to });
    if (rows === undefined) {
      if (pieceMs <= SHORTEST_MS) return undefined;
      pieceMs /= 2;
      continue;
    }
    for (const row of rows) addTo(groups, row);
    if (groups.size >= query.limit) break;
    if (performance.now() - startedAt < QUICK_MS) pieceMs *= 2;
    from = to;
  }
  return [...groups.values()].sort(inOrder).slice(0, query.limit);
}

/** Pieces of days end with a day: those are summed up already. */
function endOfPiece(from: Date, end: Date, pieceMs: number): Date {
  const ms = from.getTime() + pieceMs;
  return new Date(Math.min(pieceMs < DAY_MS ? ms : Math.floor(ms / DAY_MS) * DAY_MS, end.getTime()));
}

/** Undefined: the statement's time was up. */
async function sumPiece(database: UsageDoor, query: UsageQuery): Promise<UsageRow[] | undefined> {
  const { groups, timezone = 'UTC' } = query;
  const areSummed = groups.metadata.length === 0 && (timezone === 'UTC' || !groups.day);
  try {
    const rows = await (areSummed ? database.sumUsage(query) : database.sumUsageOfEach(query));
    await requireKept(database, query, areSummed);
    return rows;
  } catch (error) {
    if (isStatementTimeout(error)) return undefined;
    throw error;
  }
}

function addTo(groups: Map<string, UsageRow>, row: UsageRow): void {
  const name = JSON.stringify(groupOf(row));
  const sum = groups.get(name);
  groups.set(name, sum === undefined ? row : add(sum, row));
}

function add(sum: UsageRow, row: UsageRow): UsageRow {
  return {
    ...sum,
    tasks: sum.tasks + row.tasks,
    completed: sum.completed + row.completed,
    failed: sum.failed + row.failed,
    chargedNano: sum.chargedNano + row.chargedNano,
  };
}

function groupOf({ day, model, key, family, metadata }: UsageRow): (string | null)[] {
  return [day, model, key, family, ...(metadata ?? [])];
}

/** Sorts by one group after the other; a row without a value is last. */
function inOrder(left: UsageRow, right: UsageRow): number {
  const [lefts, rights] = [groupOf(left), groupOf(right)];
  for (const [index, text] of lefts.entries()) {
    const other = rights[index] ?? null;
    if (text !== other) return text === null ? 1 : other === null || text < other ? -1 : 1;
  }
  return 0;
}

/**
 * A task is summed up when it is older: later nobody books one whose id sorts before. The clock of the process that makes
 * an id may be an hour off the database's, which decides here, and a submission may take minutes.
 */
const SUMMED_AFTER_MS = 2 * CLOCKS_MS + 300_000;

/**
 * Adds the tasks that have ended to the sums of their days, `limit` at most, in the order of their ids; the first one that is still open ends
 * that. `more`: the next ones can follow at once.
 */
export async function sumDays(
  database: Pick<Database, 'sumReservations'>,
  { limit, olderThanMs = SUMMED_AFTER_MS }: { limit: number; olderThanMs?: number },
): Promise<{ done: number; more: boolean }> {
  const [row] = await database.sumReservations(olderThanMs, limit);
  const done = Number(row?.counted ?? 0n);
  return { done, more: done === limit };
}
