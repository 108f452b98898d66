import type { Fault, Refused } from '@mediagate/contracts';
import { mayFailAgain } from './failed-steps';
import type { Lease } from './lease';
import { backoffMs } from './pauses';
import { failedBy, isAccepted, type Outcome, type OutcomeOf, type Run } from './run-state';

/** A task that kills its worker before it is sent anywhere, for example by a file that crashes a library. */
export const GIVEN_UP: Outcome = {
  kind: 'failed',
  reason: 'internal_error',
  fault: { code: 'not_accepted', detail: 'too many of its steps ended with their worker' },
};

/** Before the intent was written nothing was sent, so the task may try again; after it the outcome is unknown. */
export function afterThrow(run: Run): Outcome {
  const fault = { code: 'outcome_unknown' as const, detail: 'a step of the worker failed' };
  if (isAccepted(run)) {
    const checkAfterMs = backoffMs(run.task.failedSteps);
    return { kind: 'waiting', phase: 'queued', checkAfterMs, failedStep: true, fault };
  }
  if (run.current || run.task.attempt) return inDoubt(run, fault);
  return { kind: 'turned_away', fault: { ...fault, code: 'not_accepted' }, requestIds: [] };
}

/** When the lease ended during the step, the lease decides: a deadline fails the task, a lost lease leaves it to its new owner. */
export function judge(run: Run, lease: Lease): Outcome {
  const outcome = run.outcome ?? { kind: 'failed', reason: 'internal_error' };
  const ended = lease.ended();
  switch (ended) {
    case 'leased':
      return outcome;
    case 'lost': {
      if (outcome.kind === 'unsent') return outcome;
      const notSent = outcome.kind === 'turned_away' ? unsentByRefusal(run, outcome.fault) : undefined;
      return (
        notSent ?? {
          kind: 'lost',
          ...(run.produced ? { usage: run.produced.usage } : {}),
          ...(outcome.kind === 'accepted' ? { externalId: outcome.externalId } : {}),
        }
      );
    }
    case 'deadline':
      if (outcome.kind === 'succeeded') return outcome;
      if (outcome.kind === 'failed' && isCertain(outcome)) return outcome;
      return {
        kind: 'failed',
        reason: 'timeout',
        fault: isNotSent(outcome) ? outcome.fault : { code: 'outcome_unknown', detail: late(outcome) },
      };
    default:
      return ended satisfies never;
  }
}

/** The cause of the failure is known. A failure whose cause nobody knows is put down to the deadline. */
function isCertain({ fault, reason }: OutcomeOf<'failed'>): boolean {
  return fault?.code !== 'outcome_unknown' || reason === 'service_unavailable';
}

function isNotSent(outcome: Outcome): outcome is OutcomeOf<'turned_away' | 'unsent'> {
  return outcome.kind === 'turned_away' || (outcome.kind === 'unsent' && !outcome.isStage);
}

function late(outcome: Outcome): string {
  return outcome.kind === 'accepted'
    ? `the deadline passed as it was accepted, under ${outcome.externalId}`.slice(0, 500)
    : 'the deadline passed';
}

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
export function unsentByRefusal({ current, task }: Run, fault: Fault): OutcomeOf<'unsent'> | undefined {
  return current && !task.attempt ? { kind: 'unsent', isStage: false, fault } : undefined;
}
