import type { Fault } from '@mediagate/contracts';
import { backoffMs } from '../backoff';
import { mayFailAgain } from '../failed-steps';
import type { Outcome, Run } from '../run-state';

/**
 * Decides an attempt that the upstream may or may not have accepted. Where the vendor enforces our reference or can look it
 * up, the attempt stays `starting` and the next step recovers it as after a crash, up to a limit; elsewhere the task ends
 * with a refund, and the attempt is quarantined for the operator.
 */
export function inDoubt(run: Run, fault: Fault, requestIds: string[] = []): Outcome {
  const resolvable = run.current !== undefined && run.current.adapter.afterLostAnswer !== 'never';
  return resolvable ? askLater(run, fault, requestIds) : givenUp(fault, requestIds);
}

/** Leaves the attempt as it is and tries again later; a rate limit does not count as a failed step. */
export function askLater(run: Run, fault: Fault, requestIds: string[] = []): Outcome {
  const failedStep = fault.code !== 'rate_limited';
  if (failedStep && !mayFailAgain(run.task)) return givenUp(fault, requestIds);
  const checkAfterMs = fault.retryAfterMs ?? backoffMs(run.task.failedSteps);
  return { kind: 'waiting', phase: 'queued', checkAfterMs, failedStep, fault };
}

/** The outcome of the first request stays unknown, whatever the last one answered. */
export function givenUp({ detail }: Fault, requestIds: string[]): Outcome {
  return { kind: 'failed', reason: 'outcome_unknown', fault: { code: 'outcome_unknown', detail }, requestIds };
}
