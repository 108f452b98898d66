import type { ClaimedTask } from '@mediagate/tasks';

/** Steps in a row that may end without a decision before a task that no upstream has accepted is given up. */
const MAX_FAILED_STEPS = 6;

/** Steps in a row that end with their worker before a task is suspected to be the cause. An outage of the database ends some, too. */
const SUSPICIOUS_LOST_STEPS = 2;
/** So many are no coincidence: what nobody has begun to pay for is given up, and an accepted job is suspected. */
const MAX_LOST_STEPS = 5;
/** The last share of a task's whole time: a task that has not run apart from others by then never will. */
const LAST_SHARE = 0.25;
/** A share of the longest deadline: a task may have waited for much longer before it began. */
const LAST_MS = 15 * 60_000;

type Suspected = Pick<ClaimedTask, 'lostSteps' | 'attempt' | 'deadlineAt' | 'createdAt' | 'msToDeadline'>;

/** Its step waits for its turn at the gate of steps. In the last quarter of its time a suspect with an attempt runs anyway. */
export function mustRunAlone(task: Suspected): boolean {
  return isSuspect(task) && !isHopeless(task) && !isLate(task);
}

/** Nothing was sent yet, so that a refund costs nobody anything. An attempt is never given up: it is asked about until the deadline. */
export function isHopeless(task: Suspected): boolean {
  if (task.attempt) return false;
  return task.lostSteps >= MAX_LOST_STEPS || (isSuspect(task) && isLate(task));
}

function isSuspect({ lostSteps, attempt }: Suspected): boolean {
  return lostSteps >= (attempt?.state === 'accepted' ? MAX_LOST_STEPS : SUSPICIOUS_LOST_STEPS);
}

function isLate({ deadlineAt, createdAt, msToDeadline }: Suspected): boolean {
  return msToDeadline < Math.min((deadlineAt.getTime() - createdAt.getTime()) * LAST_SHARE, LAST_MS);
}

/** True while one more failed step leaves the task alive. */
export function mayFailAgain(task: Pick<ClaimedTask, 'failedSteps'>): boolean {
  return task.failedSteps + 1 < MAX_FAILED_STEPS;
}
