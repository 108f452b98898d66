import { type Finish, taskError } from '@mediagate/billing';
import { FAULT_TABLE, type Message, messageOf, type TaskFailureReason } from '@mediagate/contracts';
import { attemptCost, attemptEnd, lastAnswer } from './attempt-end';
import { backoffMs, jitteredMs } from './backoff';
import { keptCounts } from './counts';
import { mayFailAgain } from './failed-steps';
import { recordLate } from './late-outcome';
import { billedUsage, boundedCost, usageRecord } from './result-usage';
import { failedBy, type Outcome, type Run } from './run-state';
import type { WorkerDeps } from './worker-deps';

/** The state of a task after a step, as it was written to the database. */
export type Concluded =
  | { kind: 'completed' }
  | { kind: 'failed'; reason: TaskFailureReason; message: Message; param?: string }
  /** Another step follows. */
  | { kind: 'goes_on' }
  /** Another process has claimed the task or has ended it. */
  | { kind: 'lost' };

const AT_CAPACITY_RETRY_MS = 3000;
/** With every breaker open: long enough that a task survives the breakers' pause (30 s) and one failed probe after it. */
const BROKEN_RETRY_MS = 15_000;
/** A caller who waits for the answer waits this long for a slot of a channel, or for a probe of it: enough to outlast a burst. */
const SYNCHRONOUS_PATIENCE_MS = 5000;
const SYNCHRONOUS_RETRY_MS = 250;

/**
 * Turns the outcome of a step into rows, money and the next job. Only this function branches on an outcome, and every branch
 * is one fenced statement: if the process ends before it, the task is claimed again; if it ends after it, the reconciler
 * enqueues what this process did not.
 */
export async function conclude(run: Run, outcome: Outcome, deps: WorkerDeps): Promise<Concluded> {
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
  const kept = keptCounts(outputs);
  const made = run.produced?.outputs.length ?? outputs.length;
  const used = billedUsage(usage, kept, { kept: outputs.length, made });
  const won = await finish(run, deps, {
    outcome: {
      kind: 'completed',
      costNano: boundedCost(entry.settle(task.input, used, task.rates)),
      // The answer of a synchronous task went to its caller; nothing of it is stored.
      ...(entry.synchronous ? {} : { result: deps.profile.describeResult(outputs, outcome.facts) }),
      ...usageRecord(used),
    },
    ...attemptEnd(run, {
      state: 'succeeded',
      usage: { ...kept, ...usage, images: kept.images },
      cost: attemptCost(run, kept),
      requestIds,
    }),
  });
  return won ? { kind: 'completed' } : LOST;
}

/** Nothing was made that could be counted here, so the upstream's own figures are settled. */
async function charge(run: Run, { usage, requestIds }: OutcomeOf<'charged'>, deps: WorkerDeps): Promise<Concluded> {
  const { task, entry } = run;
  const won = await finish(run, deps, {
    outcome: {
      kind: 'completed',
      costNano: boundedCost(entry.settle(task.input, usage, task.rates)),
      result: deps.profile.describeResult([], {}),
      ...usageRecord(usage),
    },
    ...attemptEnd(run, {
      state: 'refused',
      usage,
      cost: attemptCost(run, usage),
      requestIds,
      detail: 'cancelled, and charged in part',
    }),
  });
  return won ? { kind: 'completed' } : LOST;
}

const LOST: Concluded = { kind: 'lost' };

async function fail(run: Run, outcome: OutcomeOf<'failed'>, deps: WorkerDeps): Promise<Concluded> {
  const { reason, message = messageOf(reason), param, fault, requestIds = [] } = outcome;
  const unknown = fault !== undefined && FAULT_TABLE[fault.code].quarantine;
  const won = await finish(run, deps, {
    outcome: { kind: 'failed', error: taskError(reason, { message, param }) },
    ...attemptEnd(run, {
      state: unknown ? 'unknown' : 'refused',
      requestIds,
      ...(run.produced ? { usage: run.produced.usage, cost: attemptCost(run, run.produced.usage) } : {}),
      ...(fault === undefined ? {} : { fault: fault.code, detail: fault.detail }),
    }),
  });
  return won ? { kind: 'failed', reason, message, ...(param === undefined ? {} : { param }) } : LOST;
}

/** Ends the task, enqueues its callback, and logs an error if it used more than was reserved. False: it had ended before. */
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
  if (finished.freed) await enqueueQuietly(deps.passSlotsOn([finished.freed]), run, deps);
  return true;
}

async function accept(run: Run, outcome: OutcomeOf<'accepted'>, deps: WorkerDeps): Promise<Concluded> {
  const { current, task } = run;
  if (!current) throw new Error('accepted without an attempt');
  const { externalId, operation, requestIds } = outcome;
  const nextStepInMs = jitteredMs(outcome.checkAfterMs);
  const accepted = { attemptId: current.id, externalId, operation, requestIds, nextStepInMs };
  if (await deps.writes.saveOperation(task, accepted)) return enqueueNextStep(run, nextStepInMs, deps);
  await recordLate(run, { externalId }, deps);
  return LOST;
}

async function wait(run: Run, outcome: OutcomeOf<'waiting'>, deps: WorkerDeps): Promise<Concluded> {
  const { phase, progress, operation, failedStep, fault } = outcome;
  countFault(run, fault?.code, deps);
  const nextStepInMs = fault?.retryAfterMs ?? pauseOf(run, outcome);
  const isOurs = await deps.writes.postpone(run.task, { phase, progress, operation, nextStepInMs, failedStep });
  return isOurs ? enqueueNextStep(run, nextStepInMs, deps) : LOST;
}

/** A vendor's own pace is kept to; everything else is spread. */
function pauseOf({ cancelAgain }: Run, { checkAfterMs }: OutcomeOf<'waiting'>): number {
  return (
    cancelAgain?.notBeforeMs ?? Math.min(jitteredMs(checkAfterMs), cancelAgain?.withinMs ?? Number.POSITIVE_INFINITY)
  );
}

async function withdrawStage(run: Run, outcome: OutcomeOf<'stage_withdrawn'>, deps: WorkerDeps): Promise<Concluded> {
  const { current, task } = run;
  if (!current) throw new Error('a stage without an attempt');
  const { fault, failedStep, checkAfterMs: nextStepInMs } = outcome;
  countFault(run, fault.code, deps);
  const isOurs = await deps.writes.withdrawStage(task, { attemptId: current.id, nextStepInMs, failedStep });
  return isOurs ? enqueueNextStep(run, nextStepInMs, deps) : LOST;
}

/**
 * Moves the task to the next untried channel at once. When every channel has turned it away, it tries all again after a
 * pause, up to a limit. A synchronous task has one round only: its caller does not wait through that pause.
 */
async function turnAway(run: Run, outcome: OutcomeOf<'turned_away'>, deps: WorkerDeps): Promise<Concluded> {
  const { task, current, entry } = run;
  const { fault, requestIds } = outcome;
  countFault(run, fault.code, deps);
  const { everyTime } = FAULT_TABLE[fault.code];
  const here = current ? [current.channel.id] : [];
  const tried = [...task.triedChannels, ...here];
  const barredChannels = everyTime ? [...task.barredChannels, ...here] : task.barredChannels;
  // Without an attempt no channel has failed, so another one would not help.
  const another = current !== undefined && deps.channels.candidates(task, [...tried, ...barredChannels]).length > 0;
  const failedStep = fault.code !== 'rate_limited' && !everyTime;
  if (everyTime && deps.channels.serving(task).every(({ id }) => barredChannels.includes(id))) {
    return fail(run, failedBy(fault, requestIds), deps);
  }
  if (!another && (entry.synchronous || (failedStep && !mayFailAgain(task)))) {
    return fail(run, { kind: 'failed', reason: 'no_upstream', fault, requestIds }, deps);
  }
  const nextStepInMs = another ? 0 : (fault.retryAfterMs ?? backoffMs(task.failedSteps));
  const refusal = { attemptId: current?.id, fault: fault.code, detail: fault.detail, requestIds, ...lastAnswer(run) };
  const triedChannels = another ? tried : [];
  const next = { nextStepInMs, triedChannels, barredChannels, failedStep };
  const isOurs = await deps.writes.giveUpAttempt(task, { ...refusal, ...next });
  return isOurs ? enqueueNextStep(run, nextStepInMs, deps) : LOST;
}

async function waitForChannel(run: Run, { reason }: OutcomeOf<'no_channel'>, deps: WorkerDeps): Promise<Concluded> {
  const failedStep = reason !== 'at_capacity' && reason !== 'being_probed';
  const { synchronous: isSynchronous } = run.entry;
  const isWorthWaiting = isSynchronous
    ? !failedStep && ageMs(run) < SYNCHRONOUS_PATIENCE_MS
    : !failedStep || mayFailAgain(run.task);
  if (!isWorthWaiting) return fail(run, { kind: 'failed', reason: 'no_upstream' }, deps);
  const pauseMs = reason === 'at_capacity' ? AT_CAPACITY_RETRY_MS : BROKEN_RETRY_MS;
  const nextStepInMs = jitteredMs(isSynchronous ? SYNCHRONOUS_RETRY_MS : pauseMs);
  const fault = { fault: 'not_accepted' as const, detail: reason, requestIds: [] };
  const { barredChannels } = run.task;
  const wanted = { attemptId: undefined, ...fault, nextStepInMs, triedChannels: [], barredChannels, failedStep };
  return (await deps.writes.giveUpAttempt(run.task, wanted)) ? enqueueNextStep(run, nextStepInMs, deps) : LOST;
}

/** Measured by the database's clock alone. */
function ageMs({ task }: Run): number {
  return task.deadlineAt.getTime() - task.createdAt.getTime() - task.msToDeadline;
}

/** The step is written down, so any process may take the next one, this one too. */
async function enqueueNextStep(run: Run, delayMs: number, deps: WorkerDeps): Promise<Concluded> {
  const { id: taskId, family, fence } = run.task;
  deps.inFlight.delete(taskId);
  await enqueueQuietly(deps.queue.enqueueTask({ taskId, family, fence, delayMs }), run, deps);
  return { kind: 'goes_on' };
}

/** The row says what comes next, so a job that cannot be enqueued is only late: the reconciler enqueues it. */
async function enqueueQuietly(enqueued: Promise<void>, run: Run, deps: WorkerDeps): Promise<void> {
  try {
    await enqueued;
  } catch (error) {
    deps.logger.warn('task.enqueue_failed', { taskId: run.task.id, error });
  }
}

function countFault(run: Run, fault: string | undefined, deps: WorkerDeps): void {
  if (fault !== undefined) deps.metrics.faults.inc({ channel: run.current?.channel.id ?? 'none', fault });
}
