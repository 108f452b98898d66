import { Pace } from './pace';

function open(limits: { maxAheadMs?: number } = {}) {
  let nowMs = 1000;
  const pace = new Pace({ perSecond: 10, burst: 2, ...limits }, () => nowMs);
  /** Counts one, and says for how long it should wait. */
  const take = (owner: string) => {
    const waitMs = pace.waitMs(owner);
    pace.count(owner);
    return waitMs;
  };
  return { pace, take, pass: (ms: number) => (nowMs += ms) };
}

it('an owner has its burst at once, then so many a second, and takes nothing from another', () => {
  const { take, pass } = open();
  expect(Array.from({ length: 4 }, () => take('a'))).toEqual([0, 0, 100, 200]);
  expect(take('b')).toBe(0);
  pass(50);
  expect(take('a')).toBe(250);
  pass(10_000);
  expect(take('a')).toBe(0);
});

it('what is taken back does not count, and no more than what was counted', () => {
  const { pace, take } = open();
  pace.count('a', 2);
  pace.count('a', -1);
  expect([take('a'), take('a')]).toEqual([0, 100]);
  pace.count('b', -5);
  expect([take('b'), take('b'), take('b')]).toEqual([0, 0, 100]);
});

it('a flood counts until its limit, and no longer', () => {
  const { pace, pass } = open({ maxAheadMs: 60_000 });
  pace.count('a', 20_000);
  pass(30_000);
  expect(pace.waitMs('a')).toBe(29_900);
  pass(30_000);
  expect(pace.waitMs('a')).toBe(0);
});

it('of more than ten thousand owners, those that came first are forgotten', () => {
  const { pace } = open();
  pace.count('a', 100);
  for (let index = 0; index < 9_999; index += 1) pace.count(`owner ${index}`, 100);
  expect(pace.aheadMs('a')).toBe(10_000);
  pace.count('one more', 100);
  expect(pace.aheadMs('a')).toBe(0);
  expect(pace.aheadMs('owner 0')).toBe(10_000);
});
