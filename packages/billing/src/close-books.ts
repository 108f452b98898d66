import type { Database, MonthObstacle, PruningObstacle } from '@mediagate/database';

/** Entries that one statement seals: some tenths of a second. */
const PIECE_ENTRIES = 20_000;

/**
 * The outcome of a step. `begun`: by this process, or by another one beside it; `waits`: nothing, as the month cannot be closed yet; `none`:
 * nothing, as no month is being sealed and none is left to close.
 */
export type ClosingStep =
  | { kind: 'begun' | 'sealed'; month: string }
  | { kind: 'closed'; month: string; digest: string }
  | { kind: 'waits'; month: string; obstacle: MonthObstacle }
  | { kind: 'none' };

type ClosingDoor = Pick<Database, 'beginMonth' | 'closeMonth' | 'sealMonth'>;

/**
 * Takes the next step to close the oldest month of the ledger that is not closed: it begins the month, seals a piece of it, or closes it. Each
 * step is one statement, which continues where any process left off. No month after `upTo`, as 2026-10, is begun.
 */
export async function closeNextMonth(
  database: ClosingDoor,
  { pieceEntries = PIECE_ENTRIES, upTo }: { pieceEntries?: number; upTo?: string } = {},
): Promise<ClosingStep> {
  const [sealed] = await database.sealMonth({ pieceEntries });
  if (sealed) return { kind: 'sealed', ...sealed };
  const [closed] = await database.closeMonth();
  if (closed) return { kind: 'closed', ...closed };
  const [next] = await database.beginMonth(upTo);
  if (!next) return { kind: 'none' };
  const { month, obstacle } = next;
  return obstacle === null ? { kind: 'begun', month } : { kind: 'waits', month, obstacle };
}

/** Ledger entries of which one statement removes those of ended tasks, with their reservations: some tenths of a second. */
const PRUNED_ENTRIES = 5000;

/** The outcome of a step. `waits`: nothing, as a task keeps the oldest month that is due; `none`: nothing, as no month is due. */
export type PruningStep =
  | { kind: 'removed'; month: string; entries: number }
  | { kind: 'waits'; month: string; obstacle: PruningObstacle; taskId: string }
  | { kind: 'none' };

/** Removes the next entries and reservations of tasks in the oldest closed month that ended so long ago. */
export async function pruneBooks(
  database: Pick<Database, 'pruneBooks'>,
  { retentionMonths, maxEntries = PRUNED_ENTRIES }: { retentionMonths: number; maxEntries?: number },
): Promise<PruningStep> {
  const [piece] = await database.pruneBooks(retentionMonths, maxEntries);
  if (!piece) return { kind: 'none' };
  const { month, removed, obstacle, taskId } = piece;
  return obstacle === null
    ? { kind: 'removed', month, entries: Number(removed) }
    : { kind: 'waits', month, obstacle, taskId };
}
