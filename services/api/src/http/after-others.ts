import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { PARAMETERS_MAX_BYTES } from '../request-limits';

/** Steps that took no longer are followed by no rest, in milliseconds. */
const SHORT_STEP_MS = 2;

/** Until it resolves a step of a long body is made, or the process rests from one. */
let lastStep: Promise<unknown> = Promise.resolve();

/**
 * Resolves when the next step of a body may be made: up to its next wait it stops everybody. Of all steps of long bodies the process makes one in a
 * turn of the event loop, and rests for as long as the step took, so that others have half of the time, in pieces that a whole request fits into.
 */
export function afterOthers({ length }: Pick<Buffer, 'length'>): Promise<void> {
  if (length <= PARAMETERS_MAX_BYTES) return Promise.resolve();
  const turn = lastStep.then(() => nextTurn());
  lastStep = turn.then(rest);
  return turn;
}

/** Begins just before the step, which is over when its turn is. */
async function rest(): Promise<void> {
  const beganAt = performance.now();
  await nextTurn();
  const tookMs = performance.now() - beganAt;
  if (tookMs > SHORT_STEP_MS) await delay(tookMs);
}
