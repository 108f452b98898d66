import { type Database, MAX_LINEAGE_TASKS, type TaskRow, type Visibility } from '@mediagate/database';

export interface Lineage {
  /** The parent, its parent and so on. */
  ancestors: TaskRow[];
  /** Children, then their children and so on; within a generation by age. */
  descendants: TaskRow[];
  /** There are more in one direction than are shown. */
  truncated: boolean;
}

/** The tasks from which a task was made and those made from it, as far as the caller sees them; undefined: it sees no such task. */
export async function findLineage(database: Database, who: Visibility, id: string): Promise<Lineage | undefined> {
  const rows = await database.findLineage(who, id);
  if (rows.length === 0) return undefined;
  const ancestors = rows.filter(({ side }) => side === 'ancestor');
  const descendants = rows.filter(({ side }) => side === 'descendant');
  return {
    ancestors: ancestors.slice(0, MAX_LINEAGE_TASKS),
    descendants: descendants.slice(0, MAX_LINEAGE_TASKS),
    truncated: ancestors.length > MAX_LINEAGE_TASKS || descendants.length > MAX_LINEAGE_TASKS,
  };
}
