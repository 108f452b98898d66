import type { JsonObject } from '@mediagate/contracts';
import { createBatcher, type Database } from '@mediagate/database';
import { IS_CONTINUED } from './find-source';
import { TASK_COLUMNS, type TaskRow } from './task-row';

const MAX_BATCH_ITEMS = 256;
const MAX_WAITING_ITEMS = 20_000;

const READ_TASKS = {
  name: 'tasks.read',
  text: `select ${TASK_COLUMNS} from tasks t where t.id = any($1::text[])`,
};

/** Reads one task by id; reads that come together share one statement. The caller checks whose task it is. */
export function createTaskReader(database: Database): (id: string) => Promise<TaskRow | undefined> {
  return createBatcher<string, TaskRow | undefined>({
    maxItems: MAX_BATCH_ITEMS,
    maxWaiting: MAX_WAITING_ITEMS,
    run: async (ids) => {
      const rows = await readTasks(database, ids);
      return ids.map((id) => rows.get(id));
    },
  });
}

export async function readTasks(database: Database, ids: readonly string[]): Promise<Map<string, TaskRow>> {
  const rows = await database.query<TaskRow>(READ_TASKS, [ids]);
  return new Map(rows.map((row) => [row.id, row]));
}

export interface TaskInput {
  input: JsonObject;
  /** An upstream has taken its job, and it has not ended. */
  isAccepted: boolean;
  /** It has not ended, and a task that works on it has been accepted and not failed. */
  isContinued: boolean;
}

const READ_INPUTS = {
  name: 'tasks.read_inputs',
  text: `
select t.id, t.input, t.attempt_state is not distinct from 'accepted' as "isAccepted", ${IS_CONTINUED} as "isContinued"
from tasks t where t.id = any($1::text[])`,
};

/** What tasks were asked for, by id. The caller checks whose they are. */
export async function readTaskInputs(database: Database, ids: readonly string[]): Promise<Map<string, TaskInput>> {
  const rows = await database.query<TaskInput & { id: string }>(READ_INPUTS, [ids]);
  return new Map(rows.map(({ id, ...task }) => [id, task]));
}
