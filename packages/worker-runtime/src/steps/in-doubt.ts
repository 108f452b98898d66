import type { Fault } from '@mediagate/contracts';
import { backoffMs } from '../backoff';
import { mayFailAgain } from '../failed-steps';
import type { Outcome, Run } from '../run-state';

/**
 * Nobody here knows whether the upstream took the attempt. Where the vendor enforces our reference or can be asked by it,
 * the attempt stays `starting` and the next step recovers it as after a crash, up to a limit; elsewhere the task ends with
 * a refund, and the attempt is kept for the operator.
 */
export function inDoubt(run: Run, fault: Fault, requestIds: string[] = []): Outcome {
  const resolvable = run.underWay !== undefined && run.underWay.adapter.afterLostAnswer !== 'never';
  return resolvable ? askLater(run, fault, requestIds) : givenUp(fault, requestIds);
}

/** The attempt is left as it is and looked at again; what only asks for patience does not count. */
export function askLater(run: Run, fault: Fault, requestIds: string[] = []): Outcome {
  const failedStep = fault.code !== 'rate_limited';
  if (failedStep && !mayFailAgain(run.task)) return givenUp(fault, requestIds);
  const checkAfterMs = fault.retryAfterMs ?? backoffMs(run.task.failedSteps);
  return { kind: 'waiting', phase: 'queued', checkAfterMs, failedStep, fault };
}

/** Whatever the last try said, the first one's outcome is not known. */
export function givenUp({ detail }: Fault, requestIds: string[]): Outcome {
  return { kind: 'failed', reason: 'outcome_unknown', fault: { code: 'outcome_unknown', detail }, requestIds };
}
