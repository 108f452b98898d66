import { seededRandom, VirtualTime } from '../src/simulation/virtual-time';

it('what is due comes in the order of its time, and at one time in the order in which it was scheduled', () => {
  const time = new VirtualTime({ beginsAtMs: 0, seed: 1 });
  const done: string[] = [];
  for (const [ms, name] of [
    [20, 'c'],
    [10, 'a'],
    [10, 'b'],
    [30, 'd'],
  ] as const) {
    time.after(ms, () => done.push(name));
  }
  for (const act of time.advance(20)) act();
  expect(done).toEqual(['a', 'b', 'c']);
  expect(time.advance(9)).toEqual([]);
  expect(time.advance(1)).toHaveLength(1);
});

it('while it is installed the clocks of the process stand still between two steps, and chance is the same each time', async () => {
  const run = () => {
    const time = new VirtualTime({ beginsAtMs: 1_000_000, seed: 7 });
    return time.install(async () => {
      time.advance(50);
      return [Date.now(), performance.now(), Math.random()];
    });
  };
  const seen = await run();
  expect(seen.slice(0, 2)).toEqual([1_000_050, 50]);
  expect(await run()).toEqual(seen);
  expect(Date.now()).toBeGreaterThan(1_000_050);
});

it('a seed gives numbers that are spread over the whole range', () => {
  const random = seededRandom(3);
  const tenths = new Set(Array.from({ length: 200 }, () => Math.floor(random() * 10)));
  expect(tenths.size).toBe(10);
});
