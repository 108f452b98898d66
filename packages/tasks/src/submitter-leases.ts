import type { TaskId } from '@mediagate/contracts';
import type { Database } from '@mediagate/database';

const MAX_RENEWED_TOGETHER = 1000;

/**
 * One statement for all that a process runs. Of those that have ended, or were given up, nothing changes. Returns those that
 * are to be cancelled.
 */
export async function renewSubmitterLeases(
  database: Database,
  ids: readonly TaskId[],
  leaseMs: number,
): Promise<TaskId[]> {
  const toCancel: TaskId[] = [];
  for (let from = 0; from < ids.length; from += MAX_RENEWED_TOGETHER) {
    const rows = await database.renewSubmitterLeases(ids.slice(from, from + MAX_RENEWED_TOGETHER), leaseMs);
    toCancel.push(...rows.filter(({ isCancelRequested }) => isCancelRequested).map(({ id }) => id));
  }
  return toCancel;
}
