import { type Database, MAX_LINEAGE_TASKS, type Relative, type TaskRow, type Visibility } from '@mediagate/database';

export interface Lineage {
  /** The parent, its parent and so on. */
  ancestors: TaskRow[];
  /** Children, then their children and so on; within a generation by age. */
  descendants: TaskRow[];
  /** There are more in one direction than are shown. */
  truncated: boolean;
}

/** What led to a task that the caller sees, and what was made of it, as far as the caller sees that; undefined: there is no such task. */
export async function findLineage(database: Database, who: Visibility, id: string): Promise<Lineage | undefined> {
  const rows = await database.findLineage(who, id);
  if (rows.length === 0) return undefined;
  const ancestors = onSide(rows, 'ancestor');
  const descendants = onSide(rows, 'descendant');
  return {
    ancestors: ancestors.slice(0, MAX_LINEAGE_TASKS),
    descendants: descendants.slice(0, MAX_LINEAGE_TASKS),
    truncated: ancestors.length > MAX_LINEAGE_TASKS || descendants.length > MAX_LINEAGE_TASKS,
  };
}

function onSide(rows: readonly Relative[], wanted: Relative['side']): TaskRow[] {
  return rows.filter(({ side }) => side === wanted);
}
