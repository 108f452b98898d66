import type { Family } from '@mediagate/contracts';
import type { Database } from '@mediagate/database';

/** Tasks of a key that have, or wait for, one of the key's slots in a family. */
export async function countOpen(database: Database, keyId: string, family: Family): Promise<number> {
  const [row] = await database.countOpenTasks(keyId, family);
  return row?.open ?? 0;
}
