import { createRowBatcher, type Database, type ReadRow, type TaskInput } from '@mediagate/database';

const MAX_BATCH_ITEMS = 256;
const MAX_WAITING_ITEMS = 20_000;

/** Reads one task by id; reads that come together share one statement. The caller checks whose task it is. */
export function createTaskReader(database: Database): (id: string) => Promise<ReadRow | undefined> {
  return createRowBatcher({
    maxItems: MAX_BATCH_ITEMS,
    maxWaiting: MAX_WAITING_ITEMS,
    tally: database.tally('reads'),
    rowsFor: (ids: string[]) => database.readTasks(ids),
    itemId: (id) => id,
    rowId: ({ id }) => id,
  });
}

/** The inputs of tasks, by id. The caller checks whose tasks they are. */
export async function readTaskInputs(database: Database, ids: readonly string[]): Promise<Map<string, TaskInput>> {
  const rows = await database.readTaskInputs(ids);
  return new Map(rows.map(({ id, ...task }) => [id, task]));
}
