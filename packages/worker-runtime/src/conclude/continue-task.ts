import { FAULT_TABLE, type Fault } from '@mediagate/contracts';
import { costWithoutResult, lastAnswer, recordLate } from '../attempt-end';
import { enqueueReturned } from '../claim-step';
import { mayFailAgain } from '../failed-steps';
import { jitteredMs, refusalPauseMs, turnPauseMs, vendorsPauseMs } from '../pauses';
import { failedBy, type OutcomeOf, type Run } from '../run-state';
import { unsentByRefusal } from '../step-outcome';
import type { WorkerDeps } from '../worker-deps';
import { type Concluded, enqueueQuietly, fail } from './end-task';

/** The upstream has the job: what its checks need is saved before anything else happens. */
export async function accept(run: Run, outcome: OutcomeOf<'accepted'>, deps: WorkerDeps): Promise<Concluded> {
  const { current, task } = run;
  if (!current) throw new Error('accepted without an attempt');
  const { externalId, operation, requestIds } = outcome;
  const nextStepInMs = jitteredMs(outcome.checkAfterMs);
  const accepted = { attemptId: current.id, externalId, operation, requestIds, nextStepInMs };
  if (await deps.database.saveOperation(task, accepted)) return enqueueNextStep(run, nextStepInMs, deps);
  await recordLate(run, { usage: run.produced?.usage, externalId }, deps);
  return 'lost';
}

/** The job is not done: it is checked again after a pause. */
export async function wait(run: Run, outcome: OutcomeOf<'waiting'>, deps: WorkerDeps): Promise<Concluded> {
  const { phase, progress, operation, failedStep } = outcome;
  const nextStepInMs = pauseOf(run, outcome);
  const fault = outcome.fault && { ...outcome.fault, ...lastAnswer(run) };
  const isOurs = await deps.database.postponeTask(run.task, {
    phase,
    progress,
    operation,
    nextStepInMs,
    failedStep,
    fault,
  });
  return isOurs ? enqueueNextStep(run, nextStepInMs, deps) : 'lost';
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
  const isOurs = await deps.database.withdrawStage(task, { attemptId: current.id, nextStepInMs, failedStep });
  return isOurs ? enqueueNextStep(run, nextStepInMs, deps) : 'lost';
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
  const withdrawal = { attemptId, isStage, isSentAgain, fault: code, detail };
  const withdrawn = await deps.database.withdrawAttempt(task, withdrawal);
  if (!withdrawn) return 'lost';
  if (!isStage) await enqueueQuietly(deps.channelSlots.freed(channel), run, deps);
  await enqueueReturned({ ...task, fence: withdrawn.fence }, 0, deps);
  return 'goes_on';
}

/**
 * Moves the task to the next untried channel at once. When every channel has turned it away, it tries all again after a
 * pause, up to a limit. A synchronous task has one round only: its caller does not wait through that pause.
 */
export async function turnAway(run: Run, outcome: OutcomeOf<'turned_away'>, deps: WorkerDeps): Promise<Concluded> {
  const { task, current, entry } = run;
  const { fault, requestIds } = outcome;
  const { everyTime = FAULT_TABLE[fault.code].everyTime } = fault;
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
  const isOurs = await deps.database.giveUpAttempt(task, { ...refusal, ...next });
  if (!isOurs) {
    const notSent = unsentByRefusal(run, fault);
    return notSent ? withdraw(run, notSent, deps) : 'lost';
  }
  await enqueueQuietly(deps.channelSlots.freed(current?.channel), run, deps);
  return enqueueNextStep(run, nextStepInMs, deps);
}

/** How long the channel rests that throttled this start, for all tasks; 0: it does not. Said again, it changes nothing. */
async function throttledMs({ current }: Run, { code, retryAfterMs }: Fault, { paces }: WorkerDeps): Promise<number> {
  if (code !== 'rate_limited' || !current) return 0;
  return paces.throttled({ channel: current.channel, attemptId: current.id, retryAfterMs });
}

function pauseAfter({ retryAfterMs }: Fault, { restMs, failedSteps }: { restMs: number; failedSteps: number }): number {
  return restMs > 0 ? turnPauseMs(restMs) : refusalPauseMs(retryAfterMs, failedSteps);
}

/** The step is written down, so any process may take the next one, this one too. */
export async function enqueueNextStep(run: Run, delayMs: number, deps: WorkerDeps): Promise<Concluded> {
  const { task, current } = run;
  const begun = Number(current !== undefined && current.id !== task.attempt?.id);
  await enqueueReturned({ ...task, attemptsMade: task.attemptsMade + begun }, delayMs, deps);
  return 'goes_on';
}
