import { FAULT_TABLE, type Fault, message } from '@mediagate/contracts';
import { costWithoutResult, lastAnswer, recordLate } from '../attempt-end';
import { jitteredMs, refusalPauseMs, turnPauseMs, vendorsPauseMs } from '../backoff';
import { mayFailAgain } from '../failed-steps';
import { enqueueReturned } from '../leave-unknown';
import { failedBy, type Run } from '../run-state';
import { endsBeforeNextLook, NOT_BEGUN, STORAGE_RETRY_MS } from '../steps/await-storage';
import { unsentByRefusal } from '../steps/refusal';
import type { WorkerDeps } from '../worker-deps';
import { type Concluded, enqueueQuietly, fail, LOST, type OutcomeOf } from './end-task';

const BUSY_RETRY_MS = 3000;
/** A test task looks again after as long as it has waited, at most so long: each look of a long backlog costs a claim. */
const TESTS_RETRY_MAX_MS = 60_000;
/** Other tasks have to end first, which takes as long as vendors take; then what they stored is removed within some seconds. */
const INPUTS_FULL_RETRY_MS = 15_000;
/** A task that waits for a slot is enqueued when one is kept for it; else, where nobody does that, it looks for itself. */
const AWAITING_SLOT_MS = 10 * 60_000;
/** With every breaker open: long enough that a task survives the breakers' pause (30 s) and one failed probe after it. */
const BROKEN_RETRY_MS = 15_000;
/** A caller who waits for the answer waits this long for a slot of a channel, or for a probe of it: enough to outlast a burst. */
const SYNCHRONOUS_PATIENCE_MS = 5000;
const SYNCHRONOUS_RETRY_MS = 250;

/** The upstream has the job: what its checks need is saved before anything else happens. */
export async function accept(run: Run, outcome: OutcomeOf<'accepted'>, deps: WorkerDeps): Promise<Concluded> {
  const { current, task } = run;
  if (!current) throw new Error('accepted without an attempt');
  const { externalId, operation, requestIds } = outcome;
  const nextStepInMs = jitteredMs(outcome.checkAfterMs);
  const accepted = { attemptId: current.id, externalId, operation, requestIds, nextStepInMs };
  if (await deps.writes.saveOperation(task, accepted)) return enqueueNextStep(run, nextStepInMs, deps);
  await recordLate(run, { usage: run.produced?.usage, externalId }, deps);
  return LOST;
}

/** The job is not done: it is checked again after a pause. */
export async function wait(run: Run, outcome: OutcomeOf<'waiting'>, deps: WorkerDeps): Promise<Concluded> {
  const { phase, progress, operation, failedStep, fault } = outcome;
  reportIfLasting(run, fault, deps);
  const nextStepInMs = pauseOf(run, outcome);
  const isOurs = await deps.writes.postpone(run.task, { phase, progress, operation, nextStepInMs, failedStep });
  return isOurs ? enqueueNextStep(run, nextStepInMs, deps) : LOST;
}

/** The pause before the next check: never less than the vendor asks for, whatever it was asked, and spread. */
function pauseOf({ cancelAgain }: Run, { checkAfterMs, fault }: OutcomeOf<'waiting'>): number {
  const { notBeforeMs = 0, withinMs = Number.POSITIVE_INFINITY } = cancelAgain ?? {};
  const askedMs = Math.max(fault?.retryAfterMs ?? 0, notBeforeMs);
  if (askedMs > 0) return vendorsPauseMs(Math.max(askedMs, fault?.retryAfterMs === undefined ? 0 : checkAfterMs));
  return Math.min(jitteredMs(checkAfterMs), withinMs);
}

/** The second stage of a job was refused without a doubt: the next check finds the first one done and tries again. */
export async function withdrawStage(
  run: Run,
  outcome: OutcomeOf<'stage_withdrawn'>,
  deps: WorkerDeps,
): Promise<Concluded> {
  const { current, task } = run;
  if (!current) throw new Error('a stage without an attempt');
  const { fault, failedStep, checkAfterMs } = outcome;
  const nextStepInMs = Math.max(checkAfterMs, await throttledMs(run, fault, deps));
  const isOurs = await deps.writes.withdrawStage(task, { attemptId: current.id, nextStepInMs, failedStep });
  return isOurs ? enqueueNextStep(run, nextStepInMs, deps) : LOST;
}

/** Only this worker knows that its intent was not sent: whoever holds the task, it is due again without it. */
export async function withdraw(
  run: Run,
  { isStage, fault }: OutcomeOf<'unsent'>,
  deps: WorkerDeps,
): Promise<Concluded> {
  const { current, task } = run;
  if (!current) throw new Error('nothing was to be sent');
  const { id: attemptId, adapter, channel } = current;
  const isSentAgain = adapter.afterLostAnswer !== 'never';
  const { code, detail } = fault;
  const fence = await deps.writes.withdrawAttempt(task, { attemptId, isStage, isSentAgain, fault: code, detail });
  if (fence === undefined) return LOST;
  if (!isStage) await enqueueQuietly(deps.channelSlots.freed(channel), run, deps);
  await enqueueReturned({ ...task, fence }, 0, deps);
  return { kind: 'goes_on' };
}

/**
 * Moves the task to the next untried channel at once. When every channel has turned it away, it tries all again after a
 * pause, up to a limit. A synchronous task has one round only: its caller does not wait through that pause.
 */
export async function turnAway(run: Run, outcome: OutcomeOf<'turned_away'>, deps: WorkerDeps): Promise<Concluded> {
  const { task, current, entry } = run;
  const { fault, requestIds } = outcome;
  const { everyTime = FAULT_TABLE[fault.code].everyTime } = fault;
  reportIfLasting(run, fault, deps);
  const here = current ? [current.channel.id] : [];
  const tried = [...task.triedChannels, ...here];
  const barredChannels = everyTime ? [...task.barredChannels, ...here] : task.barredChannels;
  // Without an attempt no channel has failed, so another one would not help.
  const another = current !== undefined && deps.channels.candidates(task, [...tried, ...barredChannels]).length > 0;
  const failedStep = fault.code !== 'rate_limited' && !everyTime;
  const ofModel = [...deps.channels.serving(task), ...deps.channels.paused(task)];
  if (everyTime && ofModel.every(({ id }) => barredChannels.includes(id))) {
    return fail(run, failedBy(fault, requestIds), deps);
  }
  if (!another && (entry.synchronous || (failedStep && !mayFailAgain(task)))) {
    return fail(run, { kind: 'failed', reason: 'no_upstream', fault, requestIds }, deps);
  }
  const restMs = await throttledMs(run, fault, deps);
  const nextStepInMs = another ? 0 : pauseAfter(fault, { restMs, failedSteps: task.failedSteps });
  const { code, detail } = fault;
  const charged = costWithoutResult(run, fault.credits);
  const refusal = { attemptId: current?.id, fault: code, detail, requestIds, ...charged, ...lastAnswer(run) };
  const triedChannels = another ? tried : [];
  const next = { nextStepInMs, triedChannels, barredChannels, failedStep };
  const isOurs = await deps.writes.giveUpAttempt(task, { ...refusal, ...next });
  if (!isOurs) {
    const notSent = unsentByRefusal(run, fault);
    return notSent ? withdraw(run, notSent, deps) : LOST;
  }
  await enqueueQuietly(deps.channelSlots.freed(current?.channel), run, deps);
  return enqueueNextStep(run, nextStepInMs, deps);
}

/** Tells operators of a fault that comes until they mend it, also where the job goes on meanwhile. */
function reportIfLasting({ current, task }: Run, fault: Fault | undefined, { reportLasting }: WorkerDeps): void {
  if (!fault?.everyTime || !current) return;
  reportLasting({ channelId: current.channel.id, model: task.model, detail: fault.detail });
}

/** How long the channel rests that throttled this start, for all tasks; 0: it does not. Said again, it changes nothing. */
async function throttledMs({ current }: Run, { code, retryAfterMs }: Fault, { paces }: WorkerDeps): Promise<number> {
  if (code !== 'rate_limited' || !current) return 0;
  return paces.throttled({ channel: current.channel, attemptId: current.id, retryAfterMs });
}

function pauseAfter({ retryAfterMs }: Fault, { restMs, failedSteps }: { restMs: number; failedSteps: number }): number {
  return restMs > 0 ? turnPauseMs(restMs) : refusalPauseMs(retryAfterMs, failedSteps);
}

/** Why this process could not keep a result. */
const NOT_KEPT_REASONS: readonly OutcomeOf<'no_channel'>['reason'][] = ['storage_failing', 'signing_failing'];
/** Why a task waits for which neither it nor a channel can do anything. */
const WITHOUT_A_MARK: readonly OutcomeOf<'no_channel'>['reason'][] = [
  'at_capacity',
  'files_busy',
  'tests_busy',
  'inputs_full',
  'being_probed',
  'paced',
  ...NOT_KEPT_REASONS,
];

/** No channel can be asked now: the task waits for a slot or for a breaker, as long as that may help. */
export async function waitForChannel(run: Run, outcome: OutcomeOf<'no_channel'>, deps: WorkerDeps): Promise<Concluded> {
  const { reason } = outcome;
  const failedStep = !WITHOUT_A_MARK.includes(reason);
  if (NOT_KEPT_REASONS.includes(reason) && endsBeforeNextLook(run)) return fail(run, NOT_BEGUN, deps);
  // Its deadline would come before it looks again, and not say why.
  if (reason === 'inputs_full' && run.task.msToDeadline < 2 * INPUTS_FULL_RETRY_MS) {
    return fail(run, { kind: 'failed', reason: 'no_upstream', message: message('inputs_full') }, deps);
  }
  const { synchronous: isSynchronous } = run.entry;
  const isWorthWaiting = isSynchronous
    ? !failedStep && ageMs(run) < SYNCHRONOUS_PATIENCE_MS
    : !failedStep || mayFailAgain(run.task);
  if (!isWorthWaiting) return fail(run, { kind: 'failed', reason: 'no_upstream' }, deps);
  // One that a channel has turned away asks all of them again, after a pause.
  if (reason === 'at_capacity' && run.task.triedChannels.length === 0) return waitForSlot(run, deps);
  const nextStepInMs = isSynchronous ? jitteredMs(SYNCHRONOUS_RETRY_MS) : pauseWithoutChannel(run, outcome);
  const fault = { fault: 'not_accepted' as const, detail: reason, requestIds: [] };
  const { barredChannels } = run.task;
  // The attempt of a worker that is gone, known not to have reached its upstream.
  const attemptId = run.current?.id;
  const keepsSlot = reason === 'paced';
  const wanted = { attemptId, ...fault, nextStepInMs, triedChannels: [], barredChannels, failedStep, keepsSlot };
  return (await deps.writes.giveUpAttempt(run.task, wanted)) ? enqueueNextStep(run, nextStepInMs, deps) : LOST;
}

function pauseWithoutChannel(run: Run, outcome: OutcomeOf<'no_channel'>): number {
  if (outcome.reason === 'paced') return turnPauseMs(outcome.waitMs);
  if (outcome.reason === 'tests_busy')
    return jitteredMs(Math.min(Math.max(ageMs(run), BUSY_RETRY_MS), TESTS_RETRY_MAX_MS));
  if (outcome.reason === 'inputs_full') return jitteredMs(INPUTS_FULL_RETRY_MS);
  if (NOT_KEPT_REASONS.includes(outcome.reason)) return jitteredMs(STORAGE_RETRY_MS);
  const isShort = outcome.reason === 'files_busy' || outcome.reason === 'at_capacity';
  return jitteredMs(isShort ? BUSY_RETRY_MS : BROKEN_RETRY_MS);
}

/** The task is enqueued when a slot is kept for it; or, where somebody waits for the answer, when that patience is over. */
async function waitForSlot(run: Run, deps: WorkerDeps): Promise<Concluded> {
  const { task, current, entry } = run;
  const patienceMs = entry.synchronous ? Math.max(SYNCHRONOUS_PATIENCE_MS - ageMs(run), 0) : undefined;
  const nextStepInMs = patienceMs ?? jitteredMs(AWAITING_SLOT_MS);
  // An attempt here is of a worker that is gone, and known not to have reached its upstream.
  const awaited = { attemptId: current?.id, barredChannels: task.barredChannels, nextStepInMs };
  // From the write on a slot may be handed to it, and its job must not be taken for one of a step under way.
  deps.inFlight.delete(task.id);
  if (!(await deps.writes.awaitSlot(task, awaited))) return LOST;
  deps.channelSlots.learn(true);
  if (patienceMs !== undefined) return enqueueNextStep(run, nextStepInMs, deps);
  return { kind: 'goes_on' };
}

/** Measured by the database's clock alone. */
function ageMs({ task }: Run): number {
  return task.deadlineAt.getTime() - task.createdAt.getTime() - task.msToDeadline;
}

/** The step is written down, so any process may take the next one, this one too. */
async function enqueueNextStep(run: Run, delayMs: number, deps: WorkerDeps): Promise<Concluded> {
  const { task, current } = run;
  const begun = Number(current !== undefined && current.id !== task.attempt?.id);
  await enqueueReturned({ ...task, attemptsMade: task.attemptsMade + begun }, delayMs, deps);
  return { kind: 'goes_on' };
}
