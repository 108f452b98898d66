import type { Family } from '@mediagate/contracts';
import type { Database } from '@mediagate/database';

/** Tasks of a key that hold, or wait for, one of the places that it has in a family. */
export async function countOpen(database: Database, keyId: string, family: Family): Promise<number> {
  const [row] = await database.countOpenTasks(keyId, family);
  return row?.open ?? 0;
}
