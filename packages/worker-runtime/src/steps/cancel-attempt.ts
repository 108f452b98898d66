import { CANCELLED_BY_CALLER } from '@mediagate/billing';
import { endpointOf } from '@mediagate/channels';
import type { CancelOutcome, Fault } from '@mediagate/contracts';
import { savedAnswer, toCounts } from '../attempt-end';
import { backoffMs } from '../pauses';
import { type CancelAgain, isAccepted, type Outcome, type Run } from '../run-state';
import { asUnknown } from '../step-outcome';
import type { WorkerDeps } from '../worker-deps';
import { measureCall } from './measure-call';

/**
 * Cancels a task whose caller asked for it. Without an attempt nothing was paid, so that it ends at once. An accepted job is
 * cancelled at its vendor, who decides: what was stopped is refunded, or settled by what the vendor charges all the same;
 * what cannot be stopped goes on. While the vendor cannot be asked the request stands, and the job is checked as ever; as long
 * as somebody waits for the answer the next check, which asks again, comes soon.
 */
export async function cancelAttempt(run: Run, deps: WorkerDeps): Promise<Run> {
  if (!run.task.isCancelRequested) return run;
  if (run.task.attempt === undefined) return { ...run, outcome: cancelled() };
  if (!isAccepted(run) || !run.current) return run;
  const answer = await askVendor(run, deps);
  switch (answer?.kind) {
    case 'cancelled': {
      const { usage, credits, requestIds = [] } = answer;
      const charged: Outcome = { kind: 'charged', usage: toCounts(usage ?? {}), requestIds };
      return { ...run, outcome: usage === undefined ? cancelled(requestIds, credits) : charged };
    }
    case 'too_late':
      return (await deps.database.declineCancel(run.task)) ? run : { ...run, outcome: { kind: 'lost' } };
    case 'refused':
      return { ...run, cancelAgain: cancelAgain(run, answer.fault) };
    case undefined:
      return { ...run, cancelAgain: cancelAgain(run) };
    default:
      return answer satisfies never;
  }
}

/** Too late is a job whose protocol cannot cancel, and one that is answered. Undefined: the channel has its share of questions in flight. */
async function askVendor(run: Run, deps: WorkerDeps): Promise<CancelOutcome | undefined> {
  const { current, task, signal } = run;
  const cancel = current?.adapter.cancel;
  if (!current || !cancel || savedAnswer(run)) return { kind: 'too_late' };
  const slot = deps.slots.checks.tryTake({ owner: task, keys: [current.channel.id] });
  if (!slot) return undefined;
  const context = { endpoint: endpointOf(current.channel, task.model), signal };
  const ask = () =>
    cancel(task.attempt?.operation ?? {}, context)
      .catch(asUnknown)
      .finally(slot.release);
  return measureCall(run, 'cancel', { ask }, deps);
}

/** Whoever cancels waits for 10 s, and then reads how the task ends. */
const WAITED_FOR_MS = 10_000;

function cancelAgain({ task }: Run, fault?: Fault): CancelAgain {
  const isWaitedFor = (task.msSinceCancelRequest ?? 0) < WAITED_FOR_MS;
  return { notBeforeMs: fault?.retryAfterMs, withinMs: isWaitedFor ? backoffMs(0) : undefined };
}

/** @param credits what the vendor charges for what it did until then. */
export function cancelled(requestIds: string[] = [], credits?: string): Outcome {
  return { kind: 'failed', reason: 'cancelled', message: CANCELLED_BY_CALLER, credits, requestIds };
}
