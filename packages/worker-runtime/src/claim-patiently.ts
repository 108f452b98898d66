import { retry } from '@mediagate/concurrency';
import type { TaskJob } from '@mediagate/contracts';
import { type ClaimOutcome, enqueueTask } from '@mediagate/tasks';
import { isOutage } from './outage';
import type { WorkerDeps } from './worker-deps';

/** How long a job waits for a database that is away: long, so that an outage does not empty the queue, but below any drain. */
const CLAIM_PATIENCE_MS = 15_000;

/** Waits for a database that is away, unless another job has the task meanwhile, whose result may wait for the database, too. */
export function claimPatiently(job: TaskJob, deps: WorkerDeps): Promise<{ claim: ClaimOutcome; askedAt: number }> {
  const { taskId } = job;
  const claim = async () => {
    const askedAt = performance.now();
    const holder = deps.inFlight.get(taskId) ?? job;
    return { claim: holder === job ? await deps.claim(taskId) : ({ kind: 'not_claimable' } as const), askedAt };
  };
  return retry(claim, { firstPauseMs: 1000, maxPauseMs: 4000, withinMs: CLAIM_PATIENCE_MS, isWorthRetrying: isOutage });
}

/**
 * The job came before its time, because clocks of processes differ; one of an earlier step has nothing to wait for. The row says until
 * when, so a job that is not enqueued only makes it later.
 */
export async function putOff(
  { taskId, fence: ofJob }: TaskJob,
  { fence, waitMs: delayMs, kind: _, ...shown }: Extract<ClaimOutcome, { kind: 'early' }>,
  deps: WorkerDeps,
): Promise<void> {
  if (fence !== ofJob) return;
  // The job that came too early is still there, under the same fence.
  await enqueueTask(deps, { ...shown, family: deps.profile.family, taskId, fence, delayMs, distinct: 'early' });
}
