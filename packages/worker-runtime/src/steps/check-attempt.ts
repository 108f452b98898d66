import { endpointOf } from '@mediagate/channels';
import type { NotStarted, Refused } from '@mediagate/contracts';
import { callersWordsOf } from '@mediagate/upstreams';
import { savedAnswer, toCounts } from '../attempt-end';
import { backoffMs, checkPauseMs } from '../pauses';
import { isAccepted, type Run } from '../run-state';
import { finalRefusal } from '../step-outcome';
import type { WorkerDeps } from '../worker-deps';
import { cancelled } from './cancel-attempt';
import { measureCall } from './measure-call';

/** Checks an accepted job once. A failed check never ends a task: the job may be done all the same. */
export async function checkAttempt(run: Run, deps: WorkerDeps): Promise<Run> {
  const { attempt } = run.task;
  if (!isAccepted(run) || !attempt || !run.current) return run;
  const produced = savedAnswer(run);
  if (produced) return { ...run, produced };
  const { adapter, channel } = run.current;
  if (!adapter.check) throw new Error(`protocol ${adapter.protocol} accepts jobs and cannot check them`);
  const context = {
    endpoint: endpointOf(channel, run.task.model),
    signal: run.signal,
    newFile: run.files.newFile,
    callersWords: () => callersWordsOf(run.task.input),
  };
  const { checks, repeatedChecks } = deps.slots;
  const slots = run.task.failedSteps > 0 ? repeatedChecks : checks;
  const slot = slots.tryTake({ owner: run.task, keys: [channel.id] });
  if (!slot) return { ...run, outcome: askLater(run) };
  const { check } = adapter;
  const ask = () => check(attempt.operation ?? {}, context).finally(slot.release);
  const found = await measureCall(run, 'check', { ask }, deps);
  switch (found.kind) {
    case 'done': {
      const { outputs, facts, usage, credits, requestIds = [] } = found;
      return { ...run, produced: { outputs, facts, usage: toCounts(usage), credits, requestIds } };
    }
    case 'pending': {
      const { phase, operation, checkAfterMs = pause(run, deps) } = found;
      const news = { ...(operation === undefined ? {} : { operation }), ...percent(found.progress) };
      return { ...run, outcome: { kind: 'waiting', phase, checkAfterMs, failedStep: false, ...news } };
    }
    case 'refused':
      return { ...run, outcome: refused(run, found, deps) };
    case 'stage_done':
      return { ...run, nextStage: found.next };
    case 'not_started':
      return notStarted(run, found);
    default:
      return found satisfies never;
  }
}

const NO_SLOT_RETRY_MS = 3000;

/** The channel has its share of checks in flight: one that does not answer must not delay the others. */
function askLater({ task }: Run): NonNullable<Run['outcome']> {
  const failedStep = task.failedSteps > 0;
  const checkAfterMs = failedStep ? backoffMs(task.failedSteps) : NO_SLOT_RETRY_MS;
  return { kind: 'waiting', phase: 'queued', checkAfterMs, failedStep };
}

function pause({ task }: Run, { profile }: WorkerDeps): number {
  return checkPauseMs(profile.checks, Date.now() - (task.startedAt?.getTime() ?? Date.now()));
}

/** A fault that is not about the job only means that the check failed. */
function refused(run: Run, refusal: Refused, deps: WorkerDeps): NonNullable<Run['outcome']> {
  const final = finalRefusal(refusal);
  const { fault, requestIds } = refusal;
  // The answer to an earlier request to cancel it was lost.
  if (final && fault.code === 'generation_failed' && run.task.isCancelRequested)
    return cancelled(requestIds, fault.credits);
  if (final) return final;
  const isThrottled = fault.code === 'rate_limited';
  // A vendor that is asked too often is not asked sooner than it would be otherwise.
  const checkAfterMs = isThrottled ? Math.max(pause(run, deps), backoffMs(0)) : backoffMs(run.task.failedSteps);
  return { kind: 'waiting', phase: 'queued', checkAfterMs, failedStep: !isThrottled, fault };
}

/** Acceptance of the first stage reset the count of failed steps, so attempts are counted instead: else this could repeat for ever. */
function notStarted(run: Run, { fault, requestIds = [] }: NotStarted): Run {
  const { failedSteps, attemptsMade } = run.task;
  const task = { ...run.task, failedSteps: Math.max(failedSteps, attemptsMade - 1) };
  return { ...run, task, outcome: { kind: 'turned_away', fault, requestIds } };
}

/** An integer from 0 to 99; 100 is reported by the end of the task alone. */
function percent(progress: number | undefined): { progress?: number } {
  if (progress === undefined || Number.isNaN(progress)) return {};
  return { progress: Math.floor(Math.min(Math.max(progress, 0), 99)) };
}
