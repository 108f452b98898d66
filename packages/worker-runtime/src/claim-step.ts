import { retry } from '@mediagate/concurrency';
import type { StepEnd, TaskJob } from '@mediagate/contracts';
import { isOutage } from '@mediagate/database';
import { type ClaimedTask, type ClaimOutcome, claimTask, enqueueTask } from '@mediagate/tasks';
import { mustRunAlone } from './failed-steps';
import { jitteredMs, returnedPauseMs } from './pauses';
import type { WorkerDeps } from './worker-deps';

/** A task whose next step is this process's. */
export interface ClaimedStep {
  task: ClaimedTask;
  /** When the claim was asked for, by the monotonic clock. */
  askedAt: number;
  /** It is a suspect that has its turn at the gate of steps. */
  isAlone: boolean;
}

type TakeStep = (step: ClaimedStep) => Promise<StepEnd>;

/** Claims the job's task and takes its step. Undefined: there was nothing to claim, or a suspect is left to its next job. */
export async function claimStep(job: TaskJob, take: TakeStep, deps: WorkerDeps): Promise<StepEnd | undefined> {
  const claimed = await claim(job, deps);
  if (claimed === undefined) return undefined;
  return mustRunAlone(claimed.task) ? takeAlone(claimed.task, { job, take }, deps) : take(claimed);
}

/**
 * Releases the claim, so that another task's crash is not counted against this one, and claims the task again at its turn. Without a turn
 * the task is enqueued again after a delay that grows with its age, perhaps for another process.
 */
async function takeAlone(
  suspect: ClaimedTask,
  { job, take }: { job: TaskJob; take: TakeStep },
  deps: WorkerDeps,
): Promise<StepEnd | undefined> {
  const delayMs = deps.gate.quietWithinMs + jitteredMs(returnedPauseMs(suspect));
  if (!(await deps.database.returnTaskClaim(suspect, delayMs))) return undefined;
  const dueAt = performance.now() + delayMs;
  const turn = await deps.gate.alone(async () => {
    const claimed = (await deps.database.recallTask(suspect)) ? await claim(job, deps) : undefined;
    return claimed && take({ ...claimed, isAlone: true });
  });
  if (turn !== undefined) return turn.answer;
  deps.logger.warn('task.not_alone', { taskId: job.taskId });
  await enqueueReturned(suspect, Math.max(dueAt - performance.now(), 0), deps);
  return undefined;
}

async function claim(job: TaskJob, deps: WorkerDeps): Promise<ClaimedStep | undefined> {
  const { outcome, askedAt } = await claimPatiently(job, deps);
  if (outcome.kind === 'early') await putOff(job, outcome, deps);
  if (outcome.kind !== 'claimed') return undefined;
  // Not before: a job of a task that became due while another one's claim was refused is not that one's.
  deps.inFlight.set(job.taskId, job);
  return { task: outcome.task, askedAt, isAlone: false };
}

/** How long a job waits for a database that is away: long, so that an outage does not empty the queue, but below any drain. */
const CLAIM_PATIENCE_MS = 15_000;

/** Waits for a database that is away, unless another job has the task meanwhile, whose result may wait for the database, too. */
function claimPatiently(job: TaskJob, deps: WorkerDeps): Promise<{ outcome: ClaimOutcome; askedAt: number }> {
  const { taskId } = job;
  const ask = async () => {
    const askedAt = performance.now();
    if ((deps.inFlight.get(taskId) ?? job) !== job) return { outcome: { kind: 'not_claimable' } as const, askedAt };
    return { outcome: await claimTask(deps.database, taskId, deps.leaseMs), askedAt };
  };
  return retry(ask, { firstPauseMs: 1000, maxPauseMs: 4000, withinMs: CLAIM_PATIENCE_MS, isWorthRetrying: isOutage });
}

/**
 * The job came before its time, because clocks of processes differ; one of an earlier step has nothing to wait for. The row says until
 * when, so a job that is not enqueued only makes it later.
 */
async function putOff(
  { taskId, fence: ofJob }: TaskJob,
  { fence, waitMs: delayMs, kind: _, ...shown }: Extract<ClaimOutcome, { kind: 'early' }>,
  deps: WorkerDeps,
): Promise<void> {
  if (fence !== ofJob) return;
  // The job that came too early is still there, under the same fence.
  await enqueueTask(deps, { ...shown, family: deps.profile.family, taskId, fence, delayMs, distinct: 'early' });
}

/** Enqueues the next step of a task whose claim was given back: any process may take it, this one too. */
export async function enqueueReturned(
  { id: taskId, family, fence, model, operation, accountId, attemptsMade }: ClaimedTask,
  delayMs: number,
  deps: WorkerDeps,
): Promise<void> {
  deps.inFlight.delete(taskId);
  await enqueueTask(deps, { taskId, family, fence, model, operation, accountId, attemptsMade, delayMs });
}
