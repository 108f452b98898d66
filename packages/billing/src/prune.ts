import type { Database } from '@mediagate/database';

/** Removes expired idempotency keys, `limit` at most; answers how many. */
export async function pruneIdempotencyKeys(database: Database, limit: number): Promise<number> {
  return (await database.pruneIdempotencyKeys(limit)).length;
}
