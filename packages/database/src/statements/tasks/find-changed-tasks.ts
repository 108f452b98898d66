import type { Statement } from '../../statement';
import { TASK_COLUMNS, type TaskRow } from './task-row';

/** How a task was seen last. */
export type SeenTask = Pick<TaskRow, 'id' | 'status' | 'progress'>;

/**
 * The named tasks whose status or progress is another than was seen; the others cost a look at the primary key and no row. One
 * statement serves thousands of waiting callers.
 */
export const findChangedTasks: Statement<[seen: readonly SeenTask[]], TaskRow> = {
  text: `
select ${TASK_COLUMNS}
from unnest($1::text[], $2::text[], $3::int[]) as seen(id, status, progress)
join tasks t on t.id = seen.id and (t.status, t.progress) <> (seen.status, seen.progress)`,
  values: (seen) => [seen.map(({ id }) => id), seen.map(({ status }) => status), seen.map(({ progress }) => progress)],
};
