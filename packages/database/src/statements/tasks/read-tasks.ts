import type { JsonObject } from '@mediagate/contracts';
import type { SharedStatement, Statement } from '../../statement';
import { CALLBACK_COLUMN } from '../callbacks/callback-progress';
import { keyMaker, type Owned } from '../visibility';
import { AWAITS_CALLER, AWAITS_CALLER_COLUMN, TASK_COLUMNS, type TaskRow } from './task-row';

/** A task with what is shown of it to callers, and whose it is. */
export type ReadRow = TaskRow & Pick<Owned, 'keyMakerId'>;

/** Reads one task by its id. The caller checks whose task it is. */
export const readTask: SharedStatement<[id: string], ReadRow> = {
  text: `
select ${TASK_COLUMNS}, ${AWAITS_CALLER_COLUMN}, ${CALLBACK_COLUMN}, ${keyMaker('t.key_id')} from tasks t
where t.id = any($1::text[])`,
  values: (calls) => [calls.map(([id]) => id)],
  shared: { tally: 'reads', callId: (id) => id, rowId: ({ id }) => id, maxTogether: 256, maxWaiting: 20_000 },
};

export interface TaskInput {
  input: JsonObject;
}

export const readTaskInputs: Statement<[ids: readonly string[]], TaskInput & { id: string }> = {
  text: 'select t.id, t.input from tasks t where t.id = any($1::text[])',
  values: (ids) => [ids],
};

/** How a task was seen last. */
export type SeenTask = Pick<TaskRow, 'id' | 'status' | 'progress' | 'awaitsCaller'>;

/**
 * The named tasks that are otherwise than was seen; the others cost a look at the primary key and no row. One
 * statement serves thousands of waiting callers.
 */
export const findChangedTasks: Statement<[seen: readonly SeenTask[]], TaskRow> = {
  text: `
select ${TASK_COLUMNS}, ${AWAITS_CALLER_COLUMN}
from unnest($1::text[], $2::text[], $3::int[], $4::boolean[]) as seen(id, status, progress, awaits)
join tasks t on t.id = seen.id
  and ((t.status, t.progress) <> (seen.status, seen.progress) or ${AWAITS_CALLER} <> seen.awaits)`,
  values: (seen) => [
    seen.map(({ id }) => id),
    seen.map(({ status }) => status),
    seen.map(({ progress }) => progress),
    seen.map(({ awaitsCaller }) => awaitsCaller ?? false),
  ],
};
