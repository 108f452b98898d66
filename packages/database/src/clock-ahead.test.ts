import { ClockAhead } from './clock-ahead';

const START_MS = Date.parse('2026-11-30T12:00:00Z');

afterEach(() => jest.useRealTimers());

/** Measures against a database whose clock stands at the start, and whose answer takes so long. */
async function measured(tookMs: number[]): Promise<number | undefined> {
  jest.useFakeTimers();
  let next = 0;
  const clock = new ClockAhead(async () => {
    jest.setSystemTime(START_MS + (tookMs[next++] ?? 0));
    return [{ seconds: START_MS / 1000 }];
  });
  for (const _ of tookMs) {
    jest.setSystemTime(START_MS);
    await clock.measure();
  }
  return clock.seconds;
}

it('takes the database to have read its clock in the middle of the round trip', async () => {
  expect(await measured([200])).toBeCloseTo(0.1);
});

it('keeps what it measured before where the answer waited, as for a connection of the pool', async () => {
  expect(await measured([4000])).toBeUndefined();
  expect(await measured([200, 4000])).toBeCloseTo(0.1);
});
