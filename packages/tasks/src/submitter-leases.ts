import type { TaskId } from '@mediagate/contracts';
import type { Claim, Database } from '@mediagate/database';

const MAX_RENEWED_TOGETHER = 1000;

/** One statement for all that a process runs. Of those that have ended, or were given up, nothing changes. */
export async function renewSubmitterLeases(database: Database, ids: readonly TaskId[], leaseMs: number): Promise<void> {
  for (let from = 0; from < ids.length; from += MAX_RENEWED_TOGETHER) {
    await database.renewSubmitterLeases(ids.slice(from, from + MAX_RENEWED_TOGETHER), leaseMs);
  }
}

/** Tasks whose process has let its lease lapse. */
export async function findAbandonedTasks(database: Database, limit: number): Promise<TaskId[]> {
  const rows = await database.findAbandonedTasks(limit);
  return rows.map(({ id }) => id);
}

/**
 * Takes those whose lease is still lapsed under a new fence: whatever their process writes from now on changes nothing. What
 * whoever took them does not end within `leaseMs` is found again.
 */
export function takeOverTasks(database: Database, ids: readonly TaskId[], leaseMs: number): Promise<Claim[]> {
  return database.takeOverTasks(ids, leaseMs);
}
