import type { ClaimedTask } from '@mediagate/tasks';

/** Steps in a row that may end without a decision before a task that no upstream has accepted is given up. */
const MAX_FAILED_STEPS = 6;

/** Steps of a task that may end with the death of their worker before the task is taken for its cause. */
const MAX_LOST_STEPS = 10;

export function isHopeless(task: Pick<ClaimedTask, 'lostSteps'>): boolean {
  return task.lostSteps >= MAX_LOST_STEPS;
}

/** True while one more failed step leaves the task alive. */
export function mayFailAgain(task: Pick<ClaimedTask, 'failedSteps'>): boolean {
  return task.failedSteps + 1 < MAX_FAILED_STEPS;
}
