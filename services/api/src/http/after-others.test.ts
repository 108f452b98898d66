import { setImmediate as nextTurn } from 'node:timers/promises';
import { PARAMETERS_MAX_BYTES } from '../request-limits';
import { afterOthers } from './after-others';

const LONG = { length: PARAMETERS_MAX_BYTES + 1 };

function blockFor(ms: number): void {
  for (const until = performance.now() + ms; performance.now() < until; );
}

it('makes one step of all long bodies in a turn', async () => {
  let turn = 0;
  const madeIn: number[] = [];
  const bodies = Promise.all(
    Array.from({ length: 3 }, async () => {
      for (let step = 0; step < 2; step += 1) {
        await afterOthers(LONG);
        madeIn.push(turn);
      }
    }),
  );
  while (madeIn.length < 6) {
    await nextTurn();
    turn += 1;
  }
  await bodies;
  expect(new Set(madeIn).size).toBe(6);
});

it('rests after a step for as long as it took', async () => {
  await afterOthers(LONG);
  blockFor(40);
  const endedAt = performance.now();
  await afterOthers(LONG);
  // Timers are set in whole milliseconds.
  expect(performance.now() - endedAt).toBeGreaterThanOrEqual(38);
});

it('rests for as long as the step took beside what holds everybody up meanwhile, as a collection of garbage does', async () => {
  await afterOthers(LONG);
  blockFor(40);
  const endedAt = performance.now();
  setTimeout(() => blockFor(60), 2);
  await afterOthers(LONG);
  expect(performance.now() - endedAt).toBeGreaterThanOrEqual(60 + 38);
});

it('rests no longer than three times the step, however busy others keep the process', async () => {
  await afterOthers(LONG);
  const beganAt = performance.now();
  blockFor(80);
  const tookMs = performance.now() - beganAt;
  let turns = 0;
  const next = afterOthers(LONG).then(() => true);
  while ((await Promise.race([next, nextTurn()])) === undefined) {
    blockFor(20);
    turns += 1;
  }
  // By its pieces alone the rest would take twenty such turns.
  expect(turns * 20).toBeLessThan(4 * tookMs);
});

it('keeps no short body waiting for the steps of long ones', async () => {
  await afterOthers(LONG);
  blockFor(40);
  let isNext = false;
  const next = afterOthers(LONG).then(() => {
    isNext = true;
  });
  await afterOthers({ length: PARAMETERS_MAX_BYTES });
  expect(isNext).toBe(false);
  await next;
});
