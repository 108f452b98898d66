import type { Database, SourceRow } from '@mediagate/database';

/** One of the account's own tasks; another account's and one that never was are both undefined. */
export async function findSource(database: Database, accountId: string, id: string): Promise<SourceRow | undefined> {
  const [row] = await database.findSourceTask(accountId, id);
  return row;
}
