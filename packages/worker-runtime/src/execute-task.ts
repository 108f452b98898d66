import { retry } from '@mediagate/concurrency';
import type { TaskJob } from '@mediagate/contracts';
import type { ClaimedTask, ClaimOutcome } from '@mediagate/tasks';
import { type AnswerLog, logAnswers } from '@mediagate/upstreams';
import { conclude } from './conclude';
import type { Concluded } from './conclude/concluded';
import { isHopeless } from './failed-steps';
import { holdLease, type Lease } from './lease';
import { isOutage, outliveOutage } from './outage';
import { reportStep } from './report-step';
import { reportToListener } from './report-to-listener';
import type { Outcome, Run } from './run-state';
import { afterThrow, givenUp, judge } from './step-outcome';
import { awaitChannel } from './steps/await-channel';
import { barUnfitChannels } from './steps/bar-unfit-channels';
import { beginAttempt } from './steps/begin-attempt';
import { cancelAttempt } from './steps/cancel-attempt';
import { checkAttempt } from './steps/check-attempt';
import { joinListener } from './steps/join-listener';
import { loadMedia } from './steps/load-media';
import { mirrorOutputs } from './steps/mirror-outputs';
import { recoverAttempt } from './steps/recover-attempt';
import { startAttempt } from './steps/start-attempt';
import { startNextStage } from './steps/start-next-stage';
import { streamAnswer } from './steps/stream-answer';
import { reportInterrupted, traceStep } from './trace-step';
import type { WorkerDeps } from './worker-deps';

/** Taken in this order. A step that has nothing to do returns the run unchanged; the first outcome ends the list. */
const STEPS: readonly ((run: Run, deps: WorkerDeps) => Promise<Run>)[] = [
  recoverAttempt,
  cancelAttempt,
  barUnfitChannels,
  awaitChannel,
  loadMedia,
  barUnfitChannels,
  beginAttempt,
  joinListener,
  startAttempt,
  streamAnswer,
  checkAttempt,
  startNextStage,
  mirrorOutputs,
];

/** How long a job waits for a database that is away: long, so that an outage does not empty the queue, but below any drain. */
const CLAIM_PATIENCE_MS = 15_000;

/**
 * Takes one step of one task: claims it, works until it would have to wait (one start, or one check), and writes the outcome
 * down. A job whose task cannot be claimed is ignored: it was late, doubled or invented.
 *
 * Never rejects. A step that is cut short, by a database that stays away or a bug, is logged; its lease lapses, and the
 * reconciler enqueues the task again.
 */
export async function executeTask(job: TaskJob, deps: WorkerDeps): Promise<void> {
  const { taskId } = job;
  // This process still works on it, perhaps with a result that waits for the database: claiming it again would put that in doubt.
  if (deps.inFlight.has(taskId)) return;
  deps.inFlight.set(taskId, job);
  try {
    const { claim, askedAt } = await claimPatiently(job, deps);
    if (claim.kind === 'throttled') await enqueueThrottled(job, claim.retryAfterMs, deps);
    else if (claim.kind === 'claimed') await traceStep(claim.task, () => takeStep(claim.task, askedAt, deps), deps);
  } catch (error) {
    reportInterrupted(taskId, error, deps);
  } finally {
    if (deps.inFlight.get(taskId) === job) deps.inFlight.delete(taskId);
  }
}

function claimPatiently({ taskId }: TaskJob, deps: WorkerDeps): Promise<{ claim: ClaimOutcome; askedAt: number }> {
  const claim = async () => {
    const askedAt = performance.now();
    return { claim: await deps.claim(taskId), askedAt };
  };
  return retry(claim, { firstPauseMs: 1000, maxPauseMs: 4000, withinMs: CLAIM_PATIENCE_MS, isWorthRetrying: isOutage });
}

/** The task waits for the key's other tasks to end. The row says until when, so a job that is not enqueued only makes it later. */
async function enqueueThrottled({ taskId }: TaskJob, delayMs: number, deps: WorkerDeps): Promise<void> {
  const { family } = deps.profile;
  try {
    await deps.queue.enqueueTask({ family, taskId, fence: 0, delayMs, distinct: `throttled-${Date.now()}` });
  } catch (error) {
    deps.logger.warn('task.enqueue_failed', { taskId, error });
  }
}

async function takeStep(task: ClaimedTask, claimAskedAt: number, deps: WorkerDeps): Promise<void> {
  const startedAt = performance.now();
  const { leaseMs } = deps;
  const entry = deps.catalogue.find(task.model, task.operation);
  if (!entry) {
    throw new Error(`task ${task.id} names ${task.operation} of ${task.model}, which is not in the catalogue`);
  }
  const lease = holdLease(deps.writes, task, { leaseMs, msToDeadline: task.msToDeadline, claimAskedAt });
  deps.metrics.inFlight.inc({ family: task.family });
  const openingStream = entry.synchronous ? deps.streamSender?.open(task.id, task.fence, lease.signal) : undefined;
  const releases: (() => void)[] = [];
  const onEnd = (release: () => void) => void releases.push(release);
  try {
    const { signal, stillLeased } = lease;
    const answers: AnswerLog = {};
    const begun: Run = { task, entry, signal, stillLeased, openingStream, onEnd, answers };
    const run = await logAnswers(answers, () => decide(begun, lease, deps));
    if (!goesRoundAgain(run.outcome)) deps.inspectedFiles.forget(task.id);
    const concluded = await concludePatiently(run, lease, deps);
    await reportToListener(await openingStream, concluded);
    reportStep(run, performance.now() - startedAt, deps);
  } finally {
    // After a step that was cut short the listener must not wait. After any other end this does nothing.
    await reportToListener(await openingStream, { kind: 'lost' });
    for (const release of releases) release();
    lease.release();
    deps.metrics.inFlight.dec({ family: task.family });
  }
}

/** The next try uses what was found out about the task's files. */
function goesRoundAgain({ kind }: Outcome): boolean {
  return kind === 'no_channel' || kind === 'turned_away';
}

type Decided = Run & { outcome: Outcome };

/** Always ends with an outcome: an error that a step throws is a bug and counts as a failed step of the task. */
async function decide(begun: Run, lease: Lease, deps: WorkerDeps): Promise<Decided> {
  const { task } = begun;
  let run = begun;
  try {
    if (isHopeless(task)) return { ...run, outcome: givenUp(task) };
    // What the step costs at the vendor is reckoned by the channel as it is taken up here.
    await deps.knowSettings();
    for (const step of STEPS) {
      run = await step(run, deps);
      if (run.outcome) break;
    }
  } catch (error) {
    if (isOutage(error)) throw error;
    if (lease.ended() === 'leased') logStepFailure(run, error, deps);
    run = { ...run, outcome: afterThrow(run) };
  }
  return { ...run, outcome: judge(run, lease) };
}

/**
 * Writes the outcome down, and tries until the deadline while the database is away: nobody else has a result that is paid
 * for, and the fence rules out a second writer. A write that the database refuses is a bug, or a text of the upstream that
 * no column takes; the task then continues as after a step that threw.
 */
async function concludePatiently(run: Decided, lease: Lease, deps: WorkerDeps): Promise<Concluded> {
  const write = (outcome: Outcome) =>
    outliveOutage(() => conclude(run, outcome, deps), { isWorthRetrying: () => lease.ended() === 'leased' });
  try {
    return await write(run.outcome);
  } catch (error) {
    if (isOutage(error)) throw error;
    logStepFailure(run, error, deps);
    return await write(afterThrow(run));
  }
}

function logStepFailure({ task }: Run, error: unknown, deps: WorkerDeps): void {
  deps.logger.error('task.step_failed', { taskId: task.id, family: task.family, error });
}
