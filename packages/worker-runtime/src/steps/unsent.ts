import type { Fault } from '@mediagate/contracts';
import type { Outcome, Run } from '../run-state';

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
