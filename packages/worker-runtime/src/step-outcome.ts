import { backoffMs } from './backoff';
import type { Lease } from './lease';
import { isAccepted, type Outcome, type Run } from './run-state';
import { inDoubt, unsentByRefusal } from './steps/refusal';

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
function isCertain({ fault, reason }: Extract<Outcome, { kind: 'failed' }>): boolean {
  return fault?.code !== 'outcome_unknown' || reason === 'service_unavailable';
}

function isNotSent(outcome: Outcome): outcome is Extract<Outcome, { kind: 'turned_away' | 'unsent' }> {
  return outcome.kind === 'turned_away' || (outcome.kind === 'unsent' && !outcome.isStage);
}

function late(outcome: Outcome): string {
  return outcome.kind === 'accepted'
    ? `the deadline passed as it was accepted, under ${outcome.externalId}`.slice(0, 500)
    : 'the deadline passed';
}
