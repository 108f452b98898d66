import { message } from '@mediagate/contracts';
import { jitteredMs } from '../pauses';
import { isAccepted, type Outcome, type OutcomeOf, type Run } from '../run-state';
import type { WorkerDeps } from '../worker-deps';

/** Between two looks at whether a result could be kept: the process itself looks every few seconds. */
export const STORAGE_RETRY_MS = 15_000;

/**
 * Nothing is begun whose result this process could not keep: the task waits in its row, without a slot and without a mark against it, for
 * this or another worker. A job that a vendor has accepted goes on, and speech and text keep nothing.
 */
export async function awaitStorage(run: Run, { whyNotKept }: WorkerDeps): Promise<Run> {
  const reason = whyNotKept(run.task);
  if (run.entry.synchronous || isAccepted(run) || reason === undefined) return run;
  // An attempt in doubt would be sent again. One that a lookup found absent has cost nothing, and ends as one that was never begun.
  return { ...run, outcome: run.inDoubt ? waitForStorage(run) : { kind: 'no_channel', reason } };
}

/** The task was paid for, or may have been: it waits until its result can be kept, or ends where its deadline would come first. */
export function waitForStorage(run: Run): Outcome {
  if (endsBeforeNextLook(run)) return NOT_KEPT;
  return { kind: 'waiting', phase: 'running', checkAfterMs: jitteredMs(STORAGE_RETRY_MS), failedStep: false };
}

/** Its deadline would come before the next look, and not say why. */
export function endsBeforeNextLook(run: Run): boolean {
  return run.msLeft() < 2 * STORAGE_RETRY_MS;
}

/** Nobody was asked. */
export const NOT_BEGUN: OutcomeOf<'failed'> = {
  kind: 'failed',
  reason: 'service_unavailable',
  message: message('result_not_kept'),
};

/** A vendor may have been paid for it, so the attempt is kept for the operator. */
export const NOT_KEPT: OutcomeOf<'failed'> = {
  ...NOT_BEGUN,
  fault: { code: 'outcome_unknown', detail: 'no result could be kept until the deadline' },
};
