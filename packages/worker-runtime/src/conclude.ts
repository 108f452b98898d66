import { type AttemptEnd, type Finish, taskError } from '@mediagate/billing';
import {
  FAULT_TABLE,
  type JsonObject,
  type Nano,
  TASK_FAILURE_MESSAGES,
  type TaskFailureReason,
  type Usage,
} from '@mediagate/contracts';
import { backoffMs, jitteredMs } from './backoff';
import { keptCounts } from './counts';
import { mayFailAgain } from './failed-steps';
import { failedBy, type Outcome, type Run } from './run-state';
import type { WorkerDeps } from './worker-deps';

/** What a task came to by a step, once that is written down. */
export type Concluded =
  | { kind: 'completed' }
  | { kind: 'failed'; reason: TaskFailureReason; message: string; param?: string }
  /** There is another step to come. */
  | { kind: 'goes_on' }
  /** The task is somebody else's, or somebody else ended it. */
  | { kind: 'lost' };

const AT_CAPACITY_RETRY_MS = 3000;
/** With every breaker open: so long that a task outlives the breakers' pause (30 s) and a failed probe after it. */
const BROKEN_RETRY_MS = 15_000;
/** A caller who waits is told soon that a channel's places stay taken, or that its probe takes long; a burst is let pass. */
const LIVE_PATIENCE_MS = 5000;
const LIVE_RETRY_MS = 250;
/** The most that a column holds; settlement stops at the reservation, so only the overrun's row could reach it. */
const MAX_COST_NANO = 2n ** 63n - 1n;

/**
 * Turns the outcome of a step into rows, money and the next wake-up. This is the only place that branches on an outcome,
 * and every branch is one fenced statement: if the process ends before it, the task is claimed again; after it, the
 * reconciler wakes whatever the wake-up here did not reach.
 */
export async function conclude(run: Run, outcome: Outcome, deps: WorkerDeps): Promise<Concluded> {
  switch (outcome.kind) {
    case 'succeeded':
      return succeed(run, outcome, deps);
    case 'failed':
      return fail(run, outcome, deps);
    case 'accepted':
      return accept(run, outcome, deps);
    case 'waiting':
      return wait(run, outcome, deps);
    case 'stage_withdrawn':
      return withdrawStage(run, outcome, deps);
    case 'turned_away':
      return turnAway(run, outcome, deps);
    case 'no_channel':
      return waitForChannel(run, outcome, deps);
    case 'lost':
      await recordLate(run, outcome, deps);
      return LOST;
    default:
      return outcome satisfies never;
  }
}

type OutcomeOf<Kind extends Outcome['kind']> = Extract<Outcome, { kind: Kind }>;

async function succeed(run: Run, outcome: OutcomeOf<'succeeded'>, deps: WorkerDeps): Promise<Concluded> {
  const { task, entry } = run;
  const { outputs, usage, requestIds } = outcome;
  const made = run.produced?.outputs.length ?? outputs.length;
  const kept = keptCounts(outputs);
  const used = { ...shareOf(usage, outputs.length, made), ...kept, ...believedSeconds(usage, kept) };
  const won = await finish(run, deps, {
    outcome: {
      kind: 'completed',
      costNano: bounded(entry.settle(task.input, used, task.rates)),
      // Of a live answer nothing is kept.
      ...(entry.live ? {} : { result: deps.profile.describeResult(outputs, outcome.facts) }),
      ...usageRecord(used),
    },
    ...attemptEnd(run, { state: 'succeeded', usage: { ...kept, ...usage, images: kept.images }, requestIds }),
  });
  return won ? { kind: 'completed' } : LOST;
}

const LOST: Concluded = { kind: 'lost' };

async function fail(run: Run, outcome: OutcomeOf<'failed'>, deps: WorkerDeps): Promise<Concluded> {
  const { reason, message = TASK_FAILURE_MESSAGES[reason], param, fault, requestIds = [] } = outcome;
  const unknown = fault !== undefined && FAULT_TABLE[fault.code].quarantine;
  const won = await finish(run, deps, {
    outcome: { kind: 'failed', error: taskError(reason, { message, param }) },
    ...attemptEnd(run, {
      state: unknown ? 'unknown' : 'refused',
      requestIds,
      ...(run.produced ? { usage: run.produced.usage } : {}),
      ...(fault === undefined ? {} : { fault: fault.code, detail: fault.detail }),
    }),
  });
  return won ? { kind: 'failed', reason, message, ...(param === undefined ? {} : { param }) } : LOST;
}

/** Ends the task, wakes its callback, and raises the alarm when more was used than was reserved. False: it had ended. */
async function finish(run: Run, deps: WorkerDeps, end: Pick<Finish, 'outcome' | 'attempt'>): Promise<boolean> {
  const { task } = run;
  const finished = await deps.finish({ taskId: task.id, fence: task.fence, ...end });
  if (!finished.won) {
    await recordLate(run, { usage: end.attempt?.usage }, deps);
    return false;
  }
  if (finished.overrunNano > 0n) {
    deps.metrics.overruns.inc({ model: task.model });
    deps.logger.error('task.overrun', { taskId: task.id, model: task.model, amountNano: finished.overrunNano });
  }
  if (finished.deliveryId !== undefined) {
    await enqueueQuietly(deps.queue.enqueueDelivery({ deliveryId: finished.deliveryId, attemptsMade: 0 }), run, deps);
  }
  if (task.limited) await enqueueQuietly(passSlotOn(run, deps), run, deps);
  return true;
}

/** The place that this task had among those its key may run at once goes to the one that waits longest. */
async function passSlotOn({ task }: Run, deps: WorkerDeps): Promise<void> {
  const next = await deps.writes.releaseHeldBack(task);
  if (next)
    await deps.queue.enqueueTask({ family: task.family, taskId: next.id, fence: next.fence, distinct: task.id });
}

async function accept(run: Run, outcome: OutcomeOf<'accepted'>, deps: WorkerDeps): Promise<Concluded> {
  const { underWay, task } = run;
  if (!underWay) throw new Error('accepted without an attempt');
  const { externalId, operation, requestIds } = outcome;
  const nextStepInMs = jitteredMs(outcome.checkAfterMs);
  const accepted = { attemptId: underWay.id, externalId, operation, requestIds, nextStepInMs };
  if (await deps.writes.saveOperation(task, accepted)) return enqueueNextStep(run, nextStepInMs, deps);
  await recordLate(run, { externalId }, deps);
  return LOST;
}

async function wait(run: Run, outcome: OutcomeOf<'waiting'>, deps: WorkerDeps): Promise<Concluded> {
  const { phase, progress, operation, failedStep, fault } = outcome;
  countFault(run, fault?.code, deps);
  // A vendor's own pace is kept to; everything else is spread.
  const nextStepInMs = fault?.retryAfterMs ?? jitteredMs(outcome.checkAfterMs);
  const held = await deps.writes.postpone(run.task, { phase, progress, operation, nextStepInMs, failedStep });
  return held ? enqueueNextStep(run, nextStepInMs, deps) : LOST;
}

async function withdrawStage(run: Run, outcome: OutcomeOf<'stage_withdrawn'>, deps: WorkerDeps): Promise<Concluded> {
  const { underWay, task } = run;
  if (!underWay) throw new Error('a stage without an attempt');
  const { fault, failedStep, checkAfterMs: nextStepInMs } = outcome;
  countFault(run, fault.code, deps);
  const held = await deps.writes.withdrawStage(task, { attemptId: underWay.id, nextStepInMs, failedStep });
  return held ? enqueueNextStep(run, nextStepInMs, deps) : LOST;
}

/**
 * On to the next untried channel at once; when all turned it away, round again after a pause, up to a limit. Nobody waits
 * through that pause for a live answer: one round is all there is.
 */
async function turnAway(run: Run, outcome: OutcomeOf<'turned_away'>, deps: WorkerDeps): Promise<Concluded> {
  const { task, underWay, entry } = run;
  const { fault, requestIds } = outcome;
  countFault(run, fault.code, deps);
  const { everyTime } = FAULT_TABLE[fault.code];
  const here = underWay ? [underWay.channel.id] : [];
  const tried = [...task.triedChannels, ...here];
  const barredChannels = everyTime ? [...task.barredChannels, ...here] : task.barredChannels;
  // Without an attempt it was not a channel that failed, so another one would not help.
  const another =
    underWay !== undefined && deps.channels.candidates(task.model, [...tried, ...barredChannels]).length > 0;
  const failedStep = fault.code !== 'rate_limited' && !everyTime;
  if (everyTime && deps.channels.serving(task.model).every(({ id }) => barredChannels.includes(id))) {
    return fail(run, failedBy(fault, requestIds), deps);
  }
  if (!another && (entry.live || (failedStep && !mayFailAgain(task)))) {
    return fail(run, { kind: 'failed', reason: 'no_upstream', fault, requestIds }, deps);
  }
  const nextStepInMs = another ? 0 : (fault.retryAfterMs ?? backoffMs(task.failedSteps));
  const refusal = { attemptId: underWay?.id, fault: fault.code, detail: fault.detail, requestIds };
  const triedChannels = another ? tried : [];
  const next = { nextStepInMs, triedChannels, barredChannels, failedStep };
  const held = await deps.writes.giveUpAttempt(task, { ...refusal, ...next });
  return held ? enqueueNextStep(run, nextStepInMs, deps) : LOST;
}

async function waitForChannel(run: Run, { reason }: OutcomeOf<'no_channel'>, deps: WorkerDeps): Promise<Concluded> {
  const failedStep = reason !== 'at_capacity' && reason !== 'being_probed';
  const { live } = run.entry;
  const isWorthWaiting = live ? !failedStep && ageMs(run) < LIVE_PATIENCE_MS : !failedStep || mayFailAgain(run.task);
  if (!isWorthWaiting) return fail(run, { kind: 'failed', reason: 'no_upstream' }, deps);
  const pauseMs = reason === 'at_capacity' ? AT_CAPACITY_RETRY_MS : BROKEN_RETRY_MS;
  const nextStepInMs = jitteredMs(live ? LIVE_RETRY_MS : pauseMs);
  const fault = { fault: 'not_accepted' as const, detail: reason, requestIds: [] };
  const { barredChannels } = run.task;
  const wanted = { attemptId: undefined, ...fault, nextStepInMs, triedChannels: [], barredChannels, failedStep };
  return (await deps.writes.giveUpAttempt(run.task, wanted)) ? enqueueNextStep(run, nextStepInMs, deps) : LOST;
}

/** By the database's clock alone. */
function ageMs({ task }: Run): number {
  return task.deadlineAt.getTime() - task.createdAt.getTime() - task.msToDeadline;
}

/** What a worker learns after its claim was lost belongs to the attempt's history: what was used, what was accepted. */
async function recordLate(
  run: Run,
  { usage, externalId }: { usage?: Usage | undefined; externalId?: string | undefined },
  deps: WorkerDeps,
): Promise<void> {
  if (!run.underWay) return;
  await deps.writes.recordLateOutcome(run.underWay.id, { usage, externalId, detail: lateDetail(usage, externalId) });
}

function lateDetail(usage: Usage | undefined, externalId: string | undefined): string {
  if (usage !== undefined) return 'a result came after the task had ended';
  return externalId === undefined ? 'the claim was lost' : 'accepted after the claim was lost';
}

/** The step is written down, so this process may take the next one too. */
async function enqueueNextStep(run: Run, delayMs: number, deps: WorkerDeps): Promise<Concluded> {
  const { id: taskId, family, fence } = run.task;
  deps.inFlight.delete(taskId);
  await enqueueQuietly(deps.queue.enqueueTask({ taskId, family, fence, delayMs }), run, deps);
  return { kind: 'goes_on' };
}

/** The row already says what comes next: a wake-up that fails makes it later, by the reconciler, and nothing worse. */
async function enqueueQuietly(wake: Promise<void>, run: Run, deps: WorkerDeps): Promise<void> {
  try {
    await wake;
  } catch (error) {
    deps.logger.warn('task.enqueue_failed', { taskId: run.task.id, error });
  }
}

function attemptEnd(run: Run, end: Omit<AttemptEnd, 'id'>): { attempt?: AttemptEnd } {
  const id = run.underWay?.id ?? run.task.attempt?.id;
  return id === undefined ? {} : { attempt: { id, ...end } };
}

/** Whole seconds by which the vendor may count otherwise. */
const SECONDS_TOLERANCE = 1;

/** The vendor's figure counts as far as the films themselves bear it out: it is what the vendor charges. */
function believedSeconds({ seconds: said }: Usage, { seconds: seen }: { seconds?: number }): { seconds?: number } {
  const isBelieved = said !== undefined && (seen === undefined || Math.abs(said - seen) <= SECONDS_TOLERANCE);
  return isBelieved ? { seconds: said } : {};
}

/** What the outputs that were kept account for: an output that was made and lost on the way is not the caller's to pay. */
function shareOf(usage: Usage, kept: number, made: number): Usage {
  const { outputTokens, totalTokens } = usage;
  if (outputTokens === undefined || kept >= made) return usage;
  const share = Math.ceil((outputTokens * kept) / made);
  return {
    ...usage,
    outputTokens: share,
    ...(totalTokens === undefined ? {} : { totalTokens: totalTokens - outputTokens + share }),
  };
}

function bounded(costNano: Nano): Nano {
  if (costNano < 0n) return 0n;
  return costNano > MAX_COST_NANO ? MAX_COST_NANO : costNano;
}

function countFault(run: Run, fault: string | undefined, deps: WorkerDeps): void {
  if (fault !== undefined) deps.metrics.faults.inc({ channel: run.underWay?.channel.id ?? 'none', fault });
}

/** The record's `usage`, where the upstream counts in tokens. */
function usageRecord(usage: Usage): { usage?: JsonObject } {
  const { inputTokens, outputTokens, totalTokens } = usage;
  if (inputTokens === undefined && outputTokens === undefined && totalTokens === undefined) return {};
  const input = inputTokens ?? 0;
  const output = outputTokens ?? 0;
  return { usage: { input_tokens: input, output_tokens: output, total_tokens: totalTokens ?? input + output } };
}
