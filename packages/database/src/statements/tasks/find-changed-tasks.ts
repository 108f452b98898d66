import type { Statement } from '../../statement';
import { AWAITS_CALLER, AWAITS_CALLER_COLUMN } from './awaits-caller';
import { TASK_COLUMNS, type TaskRow } from './task-row';

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
