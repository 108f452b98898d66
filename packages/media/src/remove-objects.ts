import { boundedMap } from './bounded-map';
import type { Storage } from './storage/storage';

const PARALLEL_REMOVALS = 8;

/** Removes the objects of these rows, each whatever becomes of the others: the storage's refusals are in `errors`. */
export async function removeObjects<Row extends { storageKey: string }>(
  storage: Pick<Storage, 'remove'>,
  rows: readonly Row[],
): Promise<{ removed: Row[]; errors: unknown[] }> {
  const errors: unknown[] = [];
  const removed = await boundedMap(rows, { limit: PARALLEL_REMOVALS }, (row) =>
    storage.remove(row.storageKey).then(
      () => [row],
      (error: unknown) => {
        errors.push(error);
        return [];
      },
    ),
  );
  return { removed: removed.flat(), errors };
}
