import type { Database, SlotsOfKey } from '@mediagate/database';

/** Tasks of a key that have one of the key's slots in a family, or await one. */
export async function countOpen(database: Database, of: SlotsOfKey): Promise<number> {
  const [row] = await database.countOpenTasks(of);
  return row?.open ?? 0;
}
