import type { Position } from './count-requests';
import { rememberSpent } from './remember-spent';

const LIMITS = { second: 2, minute: 5 };

function counterOf(places: Position[]) {
  const time = { now: 0 };
  const count = jest.fn(async () => places.shift() as Position);
  return { time, count, ask: () => rememberSpent(count, LIMITS, () => time.now) };
}

const spent: Position = { window: 'minute', number: 6, msBeforeNext: 1000 };

it('counts nothing of a key beyond its limit until its window ends', async () => {
  const { time, count, ask } = counterOf([spent, { ...spent, number: 1, msBeforeNext: 60_000 }]);
  const place = ask();
  await place('key');
  time.now = 900;
  expect(await place('key')).toEqual({ ...spent, msBeforeNext: 100 });
  expect(count).toHaveBeenCalledTimes(1);
  time.now = 1000;
  expect(await place('key')).toMatchObject({ number: 1 });
});

it('counts a key within its limit every time, and other keys beside one that is beyond', async () => {
  const within: Position = { window: 'minute', number: 5, msBeforeNext: 1000 };
  const { count, ask } = counterOf([within, spent, within]);
  const place = ask();
  await place('key');
  await place('key');
  expect(await place('other')).toEqual(within);
  expect(count).toHaveBeenCalledTimes(3);
});
