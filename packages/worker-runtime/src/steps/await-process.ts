import { message } from '@mediagate/contracts';
import { jitteredMs } from '../backoff';
import { isAccepted, type Outcome, type Run } from '../run-state';
import type { WorkerDeps } from '../worker-deps';
import { FILES_BUSY } from './load-media';

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
export const NOT_BEGUN: Extract<Outcome, { kind: 'failed' }> = {
  kind: 'failed',
  reason: 'service_unavailable',
  message: message('result_not_kept'),
};

/** A vendor may have been paid for it, so the attempt is kept for the operator. */
export const NOT_KEPT: Extract<Outcome, { kind: 'failed' }> = {
  ...NOT_BEGUN,
  fault: { code: 'outcome_unknown', detail: 'no result could be kept until the deadline' },
};

const TESTS_BUSY: Outcome = { kind: 'no_channel', reason: 'tests_busy' };

/**
 * Begins a test task only within the part of this process that test work has, until the step is over: a vendor's answer to a start may take
 * minutes, and however many tests wait for one, slots are left for paid work. A test task that is under way goes on.
 */
export async function yieldToPaid(run: Run, { slots }: Pick<WorkerDeps, 'slots'>): Promise<Run> {
  const { task } = run;
  if (!task.isTest || task.attempt !== undefined || run.inDoubt) return run;
  const slot = slots.starts.tryTake({ owner: task });
  if (slot === undefined) return { ...run, outcome: TESTS_BUSY };
  run.onEnd(slot.release);
  return run;
}

/** Limit for a job that names no number: more than any vendor makes, with covers and all parts of a track. */
export const MOST_OUTPUTS = 32;

/**
 * Takes space for what the vendor's answer may hold before the vendor is asked: beyond it tasks wait in their rows, however many the worker
 * may have in flight. An attempt in doubt must be resolved, even without space.
 */
export async function reserveSpace(run: Run, { profile }: WorkerDeps): Promise<Run> {
  const { bytesPerOutput } = profile;
  if (bytesPerOutput === undefined || isAccepted(run) || run.inDoubt) return run;
  const outputs = Math.min(run.entry.outputsAsked(run.task.input) ?? 1, MOST_OUTPUTS);
  return run.files.tryReserve(outputs * bytesPerOutput) ? run : { ...run, outcome: FILES_BUSY };
}
