import { RequestScope } from '../request-scope';
import { MIN_BYTES_PER_SECOND, watchPace } from './body-pace';

const PERIOD_MS = 1000;

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

/** A body of which so many bytes arrive in each period, while the service holds it back for so many milliseconds. */
function follow(bytes: number, heldMs = 0) {
  const scope = new RequestScope('request');
  const seen = { bytes: 0, heldMs: 0, calls: [] as string[] };
  watchPace(
    scope,
    { periodMs: PERIOD_MS },
    { received: () => seen.bytes, heldMs: () => seen.heldMs, tooSlow: () => void seen.calls.push('too slow') },
  );
  return (periods: number) => {
    for (let period = 0; period < periods; period += 1) {
      seen.bytes += bytes;
      seen.heldMs += heldMs;
      // The end of the period, and the look that it puts off.
      jest.runOnlyPendingTimers();
      jest.runOnlyPendingTimers();
    }
    return seen.calls.length;
  };
}

it('a body that keeps the least pace is read to its end, however long that takes', () => {
  expect(follow(MIN_BYTES_PER_SECOND)(3600)).toBe(0);
});

it('time for which the service holds a body back does not count against its sender', () => {
  expect(follow(MIN_BYTES_PER_SECOND / 4, (PERIOD_MS * 3) / 4)(10)).toBe(0);
  expect(follow(0, PERIOD_MS)(10)).toBe(0);
});

it('between two pauses of the service a line has its time to begin again', () => {
  expect(follow(0, PERIOD_MS - 50)(19)).toBe(0);
});

it('a body is given up once, after the first period in which less has come', () => {
  const passes = follow(MIN_BYTES_PER_SECOND - 1);
  expect([passes(1), passes(10)]).toEqual([1, 1]);
  const held = follow(MIN_BYTES_PER_SECOND / 4 - 1, (PERIOD_MS * 3) / 4);
  expect([held(3), held(1)]).toEqual([0, 1]);
});
