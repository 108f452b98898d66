import { CLOCKS_MS, type Database } from '@mediagate/database';

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
