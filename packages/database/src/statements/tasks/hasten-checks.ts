import type { Family, TaskId } from '@mediagate/contracts';
import type { Statement } from '../../statement';
import { AT_ONCE, WAITS_FOR_CHECK } from './cancel-requests';
import { IS_OPEN, SHOWN_COLUMNS, type ShownTask } from './task-row';

export interface HastenedTask extends ShownTask {
  id: TaskId;
  family: Family;
  fence: number;
}

/**
 * Makes due, at once, the tasks whose vendors have called back about these attempts, each once in so many milliseconds; answers
 * those to be enqueued. Nothing else of a task changes: it is its vendor, asked by its worker, that says what became of the job.
 */
export const hastenChecks: Statement<[attemptIds: readonly string[], everyMs: number], HastenedTask> = {
  text: `
with waiting as materialized (
  select t.id from task_attempts a join tasks t on t.id = a.task_id
  where a.id = any($1::text[]) and t.attempt_id = a.id and ${IS_OPEN} and ${WAITS_FOR_CHECK}
    and (t.hastened_at > now() - make_interval(secs => $2::float8 / 1000)) is not true
  order by t.id for update of t skip locked
)
update tasks t set next_step_at = ${AT_ONCE}, hastened_at = now() from waiting w where t.id = w.id
returning t.id, t.family, t.fence, ${SHOWN_COLUMNS}`,
  values: (attemptIds, everyMs) => [attemptIds, everyMs],
};
