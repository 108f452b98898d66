import type { Database, SourceRow, Visibility } from '@mediagate/database';

/** A task that the caller sees; another's and one that never was are both undefined. */
export async function findSource(database: Database, who: Visibility, id: string): Promise<SourceRow | undefined> {
  const [row] = await database.findSourceTask(who, id);
  return row;
}
