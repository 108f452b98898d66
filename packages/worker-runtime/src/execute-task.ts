import type { TaskJob } from '@mediagate/contracts';
import type { ClaimedTask } from '@mediagate/tasks';
import { conclude } from './conclude';
import { holdLease, type Lease } from './lease';
import type { Outcome, Run } from './run-state';
import { beginAttempt } from './steps/begin-attempt';
import { checkAttempt } from './steps/check-attempt';
import { loadMedia } from './steps/load-media';
import { mirrorOutputs } from './steps/mirror-outputs';
import { recoverAttempt } from './steps/recover-attempt';
import { startAttempt } from './steps/start-attempt';
import type { WorkerDeps } from './worker-deps';

/** In this order; each leaves the run as it is when it has nothing to do, and the first decision ends the list. */
const STEPS: readonly ((run: Run, deps: WorkerDeps) => Promise<Run>)[] = [
  recoverAttempt,
  loadMedia,
  beginAttempt,
  startAttempt,
  checkAttempt,
  mirrorOutputs,
];

/**
 * One step of one task: claim it, take it as far as it goes without waiting (a start, or one check), write down what that
 * came to. A job without a claimable task is dropped without a trace: it was late, doubled or invented.
 */
export async function executeTask(job: TaskJob, deps: WorkerDeps): Promise<void> {
  const claim = await deps.claim(job.taskId);
  if (claim.kind === 'not_claimable') return;
  if (claim.kind === 'held_back') {
    const { retryAfterMs: delayMs } = claim;
    const wake = { family: deps.profile.family, taskId: job.taskId, fence: 0, delayMs, distinct: `held-${Date.now()}` };
    await deps.queue.wakeTask(wake).catch((error) => deps.logger.warn('wake.failed', { taskId: job.taskId, error }));
    return;
  }
  const { task } = claim;
  const startedAt = performance.now();
  const lease = holdLease(deps.writes, task, { leaseMs: deps.leaseMs, msToDeadline: task.msToDeadline });
  deps.metrics.inHand.inc({ family: task.family });
  try {
    const run = await takeSteps(task, lease, deps);
    await conclude(run, run.outcome as Outcome, deps);
    report(run, performance.now() - startedAt, deps);
  } finally {
    lease.release();
    deps.metrics.inHand.dec({ family: task.family });
  }
}

/** Always ends with an outcome: what a step throws is a fault of ours and counts against the task. */
async function takeSteps(task: ClaimedTask, lease: Lease, deps: WorkerDeps): Promise<Run> {
  const entry = deps.catalogue.find(task.model);
  if (!entry) throw new Error(`task ${task.id} names the model ${task.model}, which is not in the catalogue`);
  let run: Run = { task, entry, signal: lease.signal };
  try {
    for (const step of STEPS) {
      run = await step(run, deps);
      if (run.outcome) break;
    }
  } catch (error) {
    if (isOutage(error)) throw error;
    if (lease.ended() === 'held')
      deps.logger.error('task.step_failed', { taskId: task.id, family: task.family, error });
    run = { ...run, outcome: afterThrow(run) };
  }
  return { ...run, outcome: judge(run, lease) };
}

/** Before the intent nothing was sent, so the task may go round again; after it the outcome is not known. */
function afterThrow(run: Run): Outcome {
  const fault = { detail: 'a step of the worker failed' };
  if (run.task.attempt?.state === 'accepted') {
    const unknown = { code: 'outcome_unknown' as const, ...fault };
    return { kind: 'waiting', phase: 'queued', checkAfterMs: 5000, failedStep: true, fault: unknown };
  }
  if (run.underWay) return { kind: 'failed', reason: 'outcome_unknown', fault: { code: 'outcome_unknown', ...fault } };
  return { kind: 'turned_away', fault: { code: 'not_accepted', ...fault }, requestIds: [] };
}

/** A step that the lease cut short has no say of its own: the deadline fails the task, a lost lease leaves it alone. */
function judge(run: Run, lease: Lease): Outcome {
  const outcome = run.outcome ?? { kind: 'failed', reason: 'internal' };
  const ended = lease.ended();
  switch (ended) {
    case 'held':
      return outcome;
    case 'lost':
      return { kind: 'lost', ...(run.produced ? { usage: run.produced.usage } : {}) };
    case 'deadline':
      if (outcome.kind === 'succeeded' || outcome.kind === 'failed') return outcome;
      return { kind: 'failed', reason: 'timeout', fault: { code: 'outcome_unknown', detail: 'the deadline passed' } };
    default:
      return ended satisfies never;
  }
}

/** Without the database nothing can be concluded: the lease lapses and the task is claimed again. */
function isOutage(error: unknown): boolean {
  return (
    error instanceof Error && (error.name === 'DatabaseUnavailableError' || error.name === 'DatabaseConflictError')
  );
}

function report(run: Run, durationMs: number, deps: WorkerDeps): void {
  const { task, underWay, outcome } = run;
  const labels = { family: task.family, outcome: outcome?.kind ?? 'none' };
  deps.metrics.steps.inc(labels);
  deps.metrics.stepSeconds.observe(labels, durationMs / 1000);
  const fault = outcome && 'fault' in outcome ? outcome.fault : undefined;
  deps.logger.info('task.attempted', {
    ...{ taskId: task.id, accountId: task.accountId, family: task.family, model: task.model, outcome: labels.outcome },
    durationMs: Math.round(durationMs),
    ...(underWay ? { attemptId: underWay.id, channelId: underWay.channel.id } : {}),
    ...(fault ? { fault: fault.code, detail: fault.detail } : {}),
  });
}
