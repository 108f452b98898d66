import type { Database } from '@mediagate/database';

/** No deployment keeps ended tasks for less: whoever keeps what was read of one may rely on it. */
export const RETENTION_MIN_DAYS = 1;

export interface PruneOptions {
  /** By the database's clock. */
  olderThanMs: number;
  limit: number;
}

/** Answers how many tasks were removed, `limit` at most. */
export async function pruneTasks(database: Database, { olderThanMs, limit }: PruneOptions): Promise<number> {
  return (await database.pruneTasks(olderThanMs, limit)).length;
}
