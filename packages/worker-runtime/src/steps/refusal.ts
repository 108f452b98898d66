import type { Fault, Refused } from '@mediagate/contracts';
import { backoffMs } from '../backoff';
import { mayFailAgain } from '../failed-steps';
import { failedBy, type Outcome, type Run } from '../run-state';

/** The end of a task whose request or job the upstream itself rejected; undefined: the refusal is of another kind. */
export function finalRefusal({ fault, requestIds = [] }: Refused): Outcome | undefined {
  switch (fault.code) {
    case 'bad_request':
    case 'content_policy':
    case 'generation_failed':
      return failedBy(fault, requestIds);
    default:
      return undefined;
  }
}

/** The breaker let no call through; it does not say for which of its two reasons. */
export const PASSED_OVER: Refused = {
  kind: 'refused',
  fault: { code: 'not_accepted', detail: 'the channel is out of order, or being probed by another task' },
};

/** An adapter that throws has a bug, and may have sent its request before it did: what became of the job is found out by checking it. */
export function asUnknown(error: unknown): Refused {
  const detail = error instanceof Error ? `${error.name}: ${error.message}`.slice(0, 500) : 'unknown error';
  return { kind: 'refused', fault: { code: 'outcome_unknown', detail } };
}

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

/** The outcome of the first request stays unknown, whatever the last one answered; what it said of a charge is kept. */
export function givenUp({ detail, credits }: Fault, requestIds: string[]): Outcome {
  const fault: Fault = { code: 'outcome_unknown', detail, ...(credits === undefined ? {} : { credits }) };
  return { kind: 'failed', reason: 'outcome_unknown', fault, requestIds };
}

/** The outcome of a request that was not sent because the lease had run out, or may have. */
export function unsent(detail: string, isStage = false): Outcome {
  return { kind: 'unsent', isStage, fault: { code: 'not_accepted', detail } };
}

/** The refusal of an attempt that this run has begun itself: the vendor has nothing of it. One taken over may have been sent before. */
export function unsentByRefusal(
  { current, task }: Run,
  fault: Fault,
): Extract<Outcome, { kind: 'unsent' }> | undefined {
  return current && !task.attempt ? { kind: 'unsent', isStage: false, fault } : undefined;
}
