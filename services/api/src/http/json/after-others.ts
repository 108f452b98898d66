import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { PARAMETERS_MAX_BYTES } from '../../request-limits';

/** Steps that took no longer are followed by no rest, in milliseconds. */
const SHORT_STEP_MS = 2;
/** A rest is measured in pieces of so many milliseconds: of each, no more counts than was asked for. */
const REST_PIECE_MS = 4;
/** A rest ends after so many times what the step took, however busy the process is: the bodies hold their memory meanwhile. */
const LONGEST_REST = 3;

/** Resolves when the last step of a long body, and the process's rest after it, are over. */
let lastStep: Promise<unknown> = Promise.resolve();

/**
 * Resolves when the next step of a body may be made, which holds everybody up until it waits. The process makes one step of all long
 * bodies in a turn of the event loop, and then rests for as long as the step took, in pieces that a whole request fits into. Time in
 * which others' work, a collection of garbage or another process holds everybody up counts as a rest only beyond three times the step.
 */
export function afterOthers({ length }: Pick<Buffer, 'length'>): Promise<void> {
  if (length <= PARAMETERS_MAX_BYTES) return Promise.resolve();
  const turn = lastStep.then(() => nextTurn());
  lastStep = turn.then(rest);
  return turn;
}

/** Begins immediately before the step, which is over when its turn is. */
async function rest(): Promise<void> {
  const beganAt = performance.now();
  await nextTurn();
  const tookMs = performance.now() - beganAt;
  if (tookMs <= SHORT_STEP_MS) return;
  const endsAt = performance.now() + LONGEST_REST * tookMs;
  for (let restedMs = 0; restedMs < tookMs && performance.now() < endsAt; restedMs += REST_PIECE_MS)
    await delay(REST_PIECE_MS);
}
