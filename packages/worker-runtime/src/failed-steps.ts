import type { ClaimedTask } from '@mediagate/tasks';

/** Steps in a row that may end without a decision before a task that no upstream has accepted is given up. */
const MAX_FAILED_STEPS = 6;

/** True while one more failed step leaves the task alive. */
export function mayFailAgain(task: Pick<ClaimedTask, 'failedSteps'>): boolean {
  return task.failedSteps + 1 < MAX_FAILED_STEPS;
}
