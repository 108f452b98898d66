import type { StepEnd } from '@mediagate/contracts';
import { type ClaimedTask, enqueueTask } from '@mediagate/tasks';
import { jitteredMs } from './backoff';
import type { WorkerDeps } from './worker-deps';

const LEAST_PAUSE_MS = 1000;
const MOST_PAUSE_MS = 15_000;
/** The pauses grow with the age of the task: a release that is replaced is gone within minutes. */
const AGE_SHARE = 0.1;
/** A model that only a newer release has is met no longer than this by workers of the older one. */
const REPLACED_WITHIN_MS = 10 * 60_000;
/** Share of its whole time that an accepted job is left: it is paid for, and must not come to its deadline unasked. */
const ACCEPTED_SHARE = 0.25;

/** Whether workers of a newer release may have the model of a task; else there is no such model any more. */
export function mayBeNewer(task: ClaimedTask): boolean {
  const { attempt, deadlineAt, createdAt } = task;
  const wholeMs = deadlineAt.getTime() - createdAt.getTime();
  const isAccepted = attempt?.state === 'accepted';
  return ageMs(task) < Math.min(REPLACED_WITHIN_MS, isAccepted ? wholeMs * ACCEPTED_SHARE : Number.POSITIVE_INFINITY);
}

/**
 * Leaves a task of a model that this release does not have to the workers of one that does: while a release replaces another both
 * take from one queue. The task loses nothing by it.
 */
export async function leaveUnknown(task: ClaimedTask, deps: WorkerDeps): Promise<StepEnd> {
  const { id: taskId, family, model } = task;
  const delayMs = jitteredMs(pauseMs(task));
  if (!(await deps.writes.returnClaim(task, delayMs))) return { outcome: 'lost', failure: 'lost' };
  deps.logger.warn('task.left', {
    taskId,
    family,
    model,
    detail: 'neither this release nor its configuration file has the model: a process of another may have it',
  });
  await enqueueReturned(task, delayMs, deps);
  return { outcome: 'left' };
}

/** The claim's outcome stands in the row, so that any process may take the next step, this one too. */
export async function enqueueReturned(
  { id: taskId, family, fence, model, operation, accountId, attemptsMade }: ClaimedTask,
  delayMs: number,
  deps: WorkerDeps,
): Promise<void> {
  deps.inFlight.delete(taskId);
  await enqueueTask(deps, { taskId, family, fence, model, operation, accountId, attemptsMade, delayMs });
}

/** Until a task that was given back is tried again. */
export function pauseMs(task: ClaimedTask): number {
  return Math.min(MOST_PAUSE_MS, Math.max(LEAST_PAUSE_MS, ageMs(task) * AGE_SHARE));
}

/** By the database's clock alone. */
function ageMs({ deadlineAt, createdAt, msToDeadline }: ClaimedTask): number {
  return deadlineAt.getTime() - createdAt.getTime() - msToDeadline;
}
