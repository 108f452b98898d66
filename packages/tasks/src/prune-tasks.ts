import type { Database } from '@mediagate/database';

/** No deployment keeps ended tasks for less: whoever keeps what was read of one may rely on it. */
export const RETENTION_MIN_DAYS = 1;

/** Answers how many tasks were removed, `limit` at most. Their age is by the database's clock. */
export async function pruneTasks(
  database: Database,
  { olderThanMs, limit }: { olderThanMs: number; limit: number },
): Promise<number> {
  return (await database.pruneTasks(olderThanMs, limit)).length;
}
