import timers, { setImmediate as nextTurn } from 'node:timers/promises';
import { PARAMETERS_MAX_BYTES } from '../../request-limits';
import { afterOthers } from './after-others';

const LONG = { length: PARAMETERS_MAX_BYTES + 1 };

/** The time that the process under test sees, in milliseconds: it passes only where a test says so. */
let nowMs = 0;
/** For how much longer than asked each of the next delays lasts, in milliseconds. */
let lateMs: number[] = [];

/** Makes a step of a long body that takes so many milliseconds, and says how long the next step then waits. */
async function restAfter(tookMs: number): Promise<number> {
  await afterOthers(LONG);
  nowMs += tookMs;
  const endedAt = nowMs;
  await afterOthers(LONG);
  return nowMs - endedAt;
}

beforeEach(() => {
  lateMs = [];
  jest.spyOn(performance, 'now').mockImplementation(() => nowMs);
  jest.spyOn(timers, 'setTimeout').mockImplementation(async (ms = 0) => {
    nowMs += ms + (lateMs.shift() ?? 0);
  });
});

afterEach(async () => {
  // The rest after the last step looks at the clock once more, in the next turn: by another clock it would take minutes.
  await afterOthers(LONG);
  await nextTurn();
  jest.restoreAllMocks();
});

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
  expect(await restAfter(40)).toBe(40);
});

it('makes no rest after a short step', async () => {
  expect(await restAfter(2)).toBe(0);
});

it('rests for as long as the step took beside what holds everybody up meanwhile, as a collection of garbage does', async () => {
  lateMs = [60];
  expect(await restAfter(40)).toBe(40 + 60);
});

it('rests no longer than three times the step, however busy others keep the process', async () => {
  lateMs = Array.from({ length: 20 }, () => 16);
  // By its pieces alone the rest would take twenty times 20 ms.
  expect(await restAfter(80)).toBe(3 * 80);
});

it('keeps no short body waiting for the steps of long ones', async () => {
  await afterOthers(LONG);
  nowMs += 40;
  let isNext = false;
  const next = afterOthers(LONG).then(() => {
    isNext = true;
  });
  await afterOthers({ length: PARAMETERS_MAX_BYTES });
  expect(isNext).toBe(false);
  await next;
});
