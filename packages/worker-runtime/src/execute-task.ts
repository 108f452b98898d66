import type { StepEnd, TaskId, TaskJob } from '@mediagate/contracts';
import { isOutage } from '@mediagate/database';
import type { OutgoingSpeech } from '@mediagate/speech';
import { type AnswerLog, logAnswers } from '@mediagate/upstreams';
import { recordLate } from './attempt-end';
import { type ClaimedStep, claimStep } from './claim-step';
import { accept, turnAway, wait, withdraw, withdrawStage } from './conclude/continue-task';
import { type Concluded, charge, fail, succeed } from './conclude/end-task';
import { waitForChannel } from './conclude/wait-for-channel';
import { isHopeless } from './failed-steps';
import { holdLease, type Lease } from './lease';
import { outliveOutage } from './outlive-outage';
import type { Outcome, Run } from './run-state';
import { afterThrow, GIVEN_UP, judge } from './step-outcome';
import { awaitChannel } from './steps/await-channel';
import { awaitStorage } from './steps/await-storage';
import { barUnfitChannels } from './steps/bar-unfit-channels';
import { beginAttempt } from './steps/begin-attempt';
import { cancelAttempt } from './steps/cancel-attempt';
import { carryMedia } from './steps/carry-media';
import { checkAttempt } from './steps/check-attempt';
import { freeSlot } from './steps/free-slot';
import { endGoneModel, entryOf, leaveUnknown } from './steps/gone-model';
import { loadMedia } from './steps/load-media';
import { mirrorOutputs } from './steps/mirror-outputs';
import { recoverAttempt } from './steps/recover-attempt';
import { reserveSpace } from './steps/reserve-space';
import { startAttempt } from './steps/start-attempt';
import { startNextStage } from './steps/start-next-stage';
import { joinListener, reachListener, reportToListener, streamAnswer } from './steps/stream-answer';
import { yieldToPaid } from './steps/yield-to-paid';
import { reportInterrupted, reportStep, traceStep } from './trace-step';
import type { WorkerDeps } from './worker-deps';

/** Taken in this order. A step that has nothing to do returns the run unchanged; the first outcome ends the list. */
const STEPS: readonly ((run: Run, deps: WorkerDeps) => Promise<Run>)[] = [
  recoverAttempt,
  cancelAttempt,
  endGoneModel,
  yieldToPaid,
  barUnfitChannels,
  awaitStorage,
  awaitChannel,
  reserveSpace,
  loadMedia,
  // Files may rule out more channels, and bringing them took time in which the storage may have failed.
  barUnfitChannels,
  carryMedia,
  awaitStorage,
  beginAttempt,
  joinListener,
  startAttempt,
  streamAnswer,
  checkAttempt,
  startNextStage,
  freeSlot,
  mirrorOutputs,
];

/**
 * Takes one step of one task: claims it, works until it would have to wait (one start, or one check), and writes the outcome
 * down. A job whose task cannot be claimed is ignored: it was late, doubled or invented.
 *
 * Never rejects. A step that is cut short, by a database that stays away or a bug, is logged; its lease lapses, and the
 * reconciler enqueues the task again.
 *
 * @returns how the step ended, for the board; undefined: none was taken.
 */
export async function executeTask(job: TaskJob, deps: WorkerDeps): Promise<StepEnd | undefined> {
  const { taskId } = job;
  // This process still works on it, perhaps with a result that waits for the database: claiming it again would put that in doubt.
  if (deps.inFlight.has(taskId)) return undefined;
  try {
    return await claimStep(job, (step) => traceStep(step.task, () => takeStep(step, deps), deps), deps);
  } catch (error) {
    reportInterrupted(taskId, error, deps);
    return undefined;
  } finally {
    if (deps.inFlight.get(taskId) === job) deps.inFlight.delete(taskId);
  }
}

async function takeStep({ task, askedAt, isAlone }: ClaimedStep, deps: WorkerDeps): Promise<StepEnd> {
  const startedAt = performance.now();
  const { leaseMs } = deps;
  const entry = await entryOf(task, deps);
  if (!entry) return leaveUnknown(task, deps);
  const lease = holdLease(deps.database, task, { leaseMs, msToDeadline: task.msToDeadline, claimAskedAt: askedAt });
  deps.metrics.inFlight.inc({ family: task.family });
  const ending = new AbortController();
  const whileNeeded = AbortSignal.any([lease.signal, ending.signal]);
  const releases: (() => void)[] = [];
  const onEnd = (release: () => void) => void releases.push(release);
  let openingSpeech: Promise<OutgoingSpeech | undefined> | undefined;
  try {
    if (entry.synchronous) openingSpeech = reachListener(task, whileNeeded, deps);
    const files = deps.openFiles({ owner: task, signal: lease.signal });
    onEnd(() => void files.close());
    const answers: AnswerLog = {};
    const { signal, stillLeased, keep: keepEnd } = lease;
    const msLeft = () => task.msToDeadline - (performance.now() - askedAt);
    const held = { isAlone, signal, stillLeased, keepEnd };
    const begun: Run = { task, entry, msLeft, ...held, openingSpeech, onEnd, files, answers };
    const run = await logAnswers(answers, () => decide(begun, lease, deps));
    if (!goesRoundAgain(run.outcome)) forgetFiles(task.id, deps);
    const concluded = await concludePatiently(run, lease, deps);
    // The claim is given back: a renewal would find it lost, and break off a connection that has yet to say how the step ended.
    lease.release();
    if (concluded === 'lost') ending.abort();
    reportToListener(await openingSpeech, concluded);
    return reportStep(run, { concluded, durationMs: performance.now() - startedAt }, deps);
  } finally {
    lease.release();
    deps.metrics.inFlight.dec({ family: task.family });
    for (const release of releases) release();
    // After a step that was cut short the listener must not wait. After any other end this does nothing.
    ending.abort();
    (await openingSpeech)?.breakOff();
  }
}

/** The next try uses what was found out about the task's files. */
function goesRoundAgain({ kind }: Outcome): boolean {
  return kind === 'no_channel' || kind === 'turned_away';
}

function forgetFiles(id: TaskId, { inspectedFiles, rehostedFiles }: WorkerDeps): void {
  inspectedFiles.forget(id);
  rehostedFiles.forget(id);
}

type Decided = Run & { outcome: Outcome };

/** Always ends with an outcome: an error that a step throws is a bug and counts as a failed step of the task. */
async function decide(begun: Run, lease: Lease, deps: WorkerDeps): Promise<Decided> {
  const { task } = begun;
  let run = begun;
  try {
    if (isHopeless(task)) return { ...run, outcome: GIVEN_UP };
    // The channel's settings, as they are read here, decide what the step costs at the vendor.
    await deps.ensureSettingsKnown();
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
    outliveOutage(() => conclude(run, outcome, deps), { isWorthRetrying: () => isWorthWriting(outcome, lease) });
  try {
    return await write(run.outcome);
  } catch (error) {
    if (isOutage(error)) throw error;
    logStepFailure(run, error, deps);
    return await write(afterThrow(run));
  }
}

/**
 * Turns the outcome of a step into rows, money and the next job. Only this function branches on an outcome, and every branch
 * is one fenced statement: if the process ends before it, the task is claimed again; if it ends after it, the reconciler
 * enqueues what this process did not.
 */
async function conclude(run: Run, outcome: Outcome, deps: WorkerDeps): Promise<Concluded> {
  switch (outcome.kind) {
    case 'succeeded':
      return succeed(run, outcome, deps);
    case 'charged':
      return charge(run, outcome, deps);
    case 'failed':
      return fail(run, outcome, deps);
    case 'accepted':
      return accept(run, outcome, deps);
    case 'waiting':
      return wait(run, outcome, deps);
    case 'stage_withdrawn':
      return withdrawStage(run, outcome, deps);
    case 'unsent':
      return withdraw(run, outcome, deps);
    case 'turned_away':
      return turnAway(run, outcome, deps);
    case 'no_channel':
      return waitForChannel(run, outcome, deps);
    case 'lost':
      await recordLate(run, outcome, deps);
      return 'lost';
    default:
      return outcome satisfies never;
  }
}

/** Only this process knows that a request was not sent, and another worker treats the task differently for it. */
function isWorthWriting({ kind }: Outcome, lease: Lease): boolean {
  const ended = lease.ended();
  return ended === 'leased' || (kind === 'unsent' && ended === 'lost');
}

function logStepFailure({ task }: Run, error: unknown, deps: WorkerDeps): void {
  deps.logger.error('task.step_failed', { taskId: task.id, family: task.family, error });
}
