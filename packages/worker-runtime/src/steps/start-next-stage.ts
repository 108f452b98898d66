import { endpointOf, verdictOn } from '@mediagate/channels';
import { FAULT_TABLE, type Refused, type Started } from '@mediagate/contracts';
import { isOutage } from '@mediagate/database';
import { refusalPauseMs } from '../pauses';
import type { Outcome, Run } from '../run-state';
import { asUnknown, finalRefusal, givenUp, PASSED_OVER, unsent } from '../step-outcome';
import type { WorkerDeps } from '../worker-deps';
import { waitForStorage } from './await-storage';
import { KEPT_BACK_MS, keepSuspectsOff } from './keep-suspects-off';
import { measureCall } from './measure-call';

/**
 * Starts the next stage of a job whose first stage is done, under the same attempt. The intent is written before the paid
 * call: a worker that finds an intent without an answer never sends it again, but ends the task with a refund.
 */
export async function startNextStage(run: Run, deps: WorkerDeps): Promise<Run> {
  const { nextStage: next, current, task, signal } = run;
  if (!next || !current) return run;
  const { adapter, channel, id: attemptId } = current;
  const { startNext } = adapter;
  if (!startNext || adapter.afterLostAnswer !== 'never') {
    throw new Error(`protocol ${adapter.protocol} has stages and cannot start the next one`);
  }
  if (deps.whyNotKept(task)) return { ...run, outcome: waitForStorage(run) };
  if (!keepSuspectsOff(run, adapter, deps)) return { ...run, outcome: KEPT_BACK };
  const begun = await writeIntent(run, attemptId, deps);
  if (begun === 'lost') return { ...run, outcome: { kind: 'lost' } };
  if (begun === 'unknown' || !run.stillLeased()) return { ...run, outcome: unsent('the lease had run out', true) };
  const context = { endpoint: endpointOf(channel, task.model), signal };
  const start = () => startNext({ attemptId, next }, context).catch(asUnknown);
  const started = await deps.channels.breaker(channel.id).run<Started | Refused>(
    task.model,
    () => measureCall(run, 'next_stage', { ask: start }, deps),
    (outcome) => verdictOn(outcome.kind === 'refused' ? outcome.fault : undefined),
  );
  return { ...run, outcome: outcomeOf(run, started ?? PASSED_OVER) };
}

/** Not tried again: an intent that is found written need not be this one. `unknown`: it may be written, or come late. */
async function writeIntent(
  { task }: Run,
  attemptId: string,
  { database }: WorkerDeps,
): Promise<'begun' | 'lost' | 'unknown'> {
  try {
    return (await database.beginStage(task, attemptId)) ? 'begun' : 'lost';
  } catch (error) {
    if (isOutage(error)) return 'unknown';
    throw error;
  }
}

/** The next check finds the first stage done and comes here again. */
const KEPT_BACK: Outcome = { kind: 'waiting', phase: 'running', checkAfterMs: KEPT_BACK_MS, failedStep: false };

function outcomeOf(run: Run, started: Started | Refused): Outcome {
  if (started.kind === 'started') {
    const { externalId, operation, checkAfterMs, requestIds = [] } = started;
    return { kind: 'accepted', externalId, operation, checkAfterMs, requestIds };
  }
  const { fault, requestIds = [] } = started;
  const { quarantine, everyTime } = FAULT_TABLE[fault.code];
  if (quarantine) return givenUp(fault, requestIds);
  // Another channel cannot continue from what this one made.
  const final = finalRefusal(everyTime ? { ...started, fault: { ...fault, code: 'bad_request' } } : started);
  if (final) return final;
  const checkAfterMs = refusalPauseMs(fault.retryAfterMs, run.task.failedSteps);
  return { kind: 'stage_withdrawn', checkAfterMs, failedStep: fault.code !== 'rate_limited', fault };
}
