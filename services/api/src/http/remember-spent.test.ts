import type { Position, RateChain } from './count-requests';
import { rememberSpent } from './remember-spent';

const levelOf = (id: string) => ({ name: 'query', id, limits: { second: 2, minute: 5 } });
const of = (...ids: string[]): RateChain => ({ signature: ids.join(), accountId: 'a', levels: ids.map(levelOf) });

function counterOf(places: Position[]) {
  const time = { now: 0 };
  const count = jest.fn(async () => places.shift() as Position);
  return { time, count, ask: () => rememberSpent(count, () => time.now) };
}

const spent: Position = {
  level: levelOf('key'),
  window: 'minute',
  number: 6,
  msBeforeNext: 1000,
  clear: { requests: 0, ms: 1000 },
};

it('counts nothing of a key beyond its limit until its window ends', async () => {
  const { time, count, ask } = counterOf([spent, { ...spent, number: 1, msBeforeNext: 60_000 }]);
  const place = ask();
  await place(of('key'));
  time.now = 900;
  expect(await place(of('key'))).toEqual({ ...spent, msBeforeNext: 100 });
  expect(count).toHaveBeenCalledTimes(1);
  time.now = 1000;
  expect(await place(of('key'))).toMatchObject({ number: 1 });
});

it('counts a key within its limit every time, and other keys beside one that is beyond', async () => {
  const within: Position = { ...spent, number: 5 };
  const { count, ask } = counterOf([within, spent, within]);
  const place = ask();
  await place(of('key'));
  await place(of('key'));
  expect(await place(of('other'))).toEqual(within);
  expect(count).toHaveBeenCalledTimes(3);
});

it('counts nothing for any limit of a caller while one of them is spent', async () => {
  const shared: Position = { ...spent, level: levelOf('account') };
  const { count, ask } = counterOf([shared]);
  const place = ask();
  await place(of('key', 'account'));
  expect(await place(of('sibling', 'account'))).toEqual(shared);
  expect(count).toHaveBeenCalledTimes(1);
});
