import { leftOf, type Position, type RateChain, type RateLevel } from './rate-windows';
import { RequestCounter } from './request-counter';

const WINDOW_MS = 60_000;
const LIMIT = 160;

const levelOf = (id: string, limit: number): RateLevel => ({
  name: 'submit',
  whose: 'whose_key',
  id,
  limits: { second: Number.POSITIVE_INFINITY, minute: limit },
});
const chainOf = (ids: string, limit = LIMIT): RateChain => ({
  signature: `${ids} ${limit}`,
  accountId: 'account',
  levels: ids.split(' ').map((id) => levelOf(id, limit)),
});
const CHAIN = chainOf('key');

/**
 * Counts as Redis does, for as many processes as ask, by the last limit of each caller; while it is `held`, counts are answered when they are
 * released.
 */
function createStore() {
  const totals = new Map<string, number>();
  const counts: [caller: string, requests: number][] = [];
  const unreleased: (() => void)[] = [];
  const store = {
    held: false,
    counts,
    counted: () => [...totals.values()].reduce((sum, total) => sum + total, 0),
    async count({ signature, levels }: RateChain, requests: number): Promise<Position[]> {
      const level = levels.at(-1) as RateLevel;
      counts.push([level.id, requests]);
      const before = totals.get(signature) ?? 0;
      totals.set(signature, before + requests);
      const clear = { requests: level.limits.minute - before - requests, ms: WINDOW_MS };
      if (store.held) await new Promise<void>((resolve) => void unreleased.push(resolve));
      return Array.from({ length: requests }, (_, index): Position => {
        return { level, window: 'minute', number: before + index + 1, msBeforeNext: WINDOW_MS, clear };
      });
    },
    async release() {
      for (const resolve of unreleased.splice(0)) resolve();
      await turn();
    },
  };
  return store;
}

const turn = () => new Promise((resolve) => setImmediate(resolve));
const later = async (ms: number) => {
  await jest.advanceTimersByTimeAsync(ms);
  await turn();
};

function openProcess(store: Pick<ReturnType<typeof createStore>, 'count'>) {
  const counter = new RequestCounter(store.count, () => Date.now());
  return (chain = CHAIN) => counter.position(chain);
}

const numbersOf = async (positions: (Position | Promise<Position>)[]) =>
  (await Promise.all(positions)).map(({ number }) => number);

beforeEach(() => jest.useFakeTimers({ doNotFake: ['setImmediate'] }));
afterEach(() => jest.useRealTimers());

describe('far from a limit', () => {
  it('requests are let through at once, each with its own number, and every one is counted', async () => {
    const store = createStore();
    const ask = openProcess(store);
    expect(await numbersOf([ask()])).toEqual([1]);
    const positions = [ask(), ask(), ask()];
    expect(positions.map((position) => (position as Position).number)).toEqual([2, 3, 4]);
    expect(store.counted()).toBe(1);
    store.held = true;
    await later(10);
    expect((ask() as Position).number).toBe(5);
    await store.release();
    await later(10);
    await store.release();
    expect(store.counts).toEqual([1, 3, 1].map((requests) => ['key', requests]));
    expect((ask() as Position).number).toBe(6);
  });

  it('a request is counted first after a pause, and where as many are uncounted as may be', async () => {
    const ask = openProcess(createStore());
    await ask();
    // A sixteenth of the 159 that are left.
    const uncounted = Array.from({ length: 9 }, () => ask());
    expect(uncounted.every((position) => !(position instanceof Promise))).toBe(true);
    expect(ask()).toBeInstanceOf(Promise);
    await turn();
    await later(249);
    expect(ask()).not.toBeInstanceOf(Promise);
    await later(10);
    await later(250);
    expect(ask()).toBeInstanceOf(Promise);
  });

  it('several processes pass the limit by a sixteenth each at most, and count all that they let through', async () => {
    const store = createStore();
    const processes = Array.from({ length: 4 }, () => openProcess(store));
    let admitted = 0;
    for (let round = 0; round < 50; round += 1) {
      for (const ask of processes) if (leftOf(await ask()) >= 0) admitted += 1;
    }
    expect(admitted).toBeGreaterThanOrEqual(LIMIT);
    expect(admitted).toBeLessThanOrEqual(LIMIT + 4 * (LIMIT / 16));
    await later(10);
    expect(store.counted()).toBeGreaterThanOrEqual(admitted);
  });

  it('an answer says how long the window still lasts', async () => {
    const ask = openProcess(createStore());
    await ask();
    await later(100);
    expect(ask()).toMatchObject({ number: 2, msBeforeNext: 59_900 });
  });
});

describe('one process alone passes no limit', () => {
  it('where what it let through is counted in time', async () => {
    const ask = openProcess(createStore());
    let admitted = 0;
    for (let round = 0; round < 400; round += 1) {
      if (leftOf(await ask()) >= 0) admitted += 1;
      await later(10);
    }
    expect(admitted).toBe(LIMIT);
  });

  it('whatever waits to be counted', async () => {
    const store = createStore();
    store.held = true;
    const process = openProcess(store);
    const ask = () => process(chainOf('key', 20));
    const positions = [ask(), ask(), ask()];
    await turn();
    await store.release();
    // The next one could be let through by what is left; as soon as others wait for their count, none may go before them.
    positions.push(...Array.from({ length: 11 }, () => ask()));
    await turn();
    positions.push(...Array.from({ length: 12 }, () => ask()));
    await store.release();
    await store.release();
    const admitted = (await Promise.all(positions)).filter((position) => leftOf(position) >= 0);
    expect(admitted).toHaveLength(20);
    expect(store.counted()).toBe(26);
  });
});

describe('requests that wait for their count', () => {
  it('share one, each with its own number in the order of arrival', async () => {
    const store = createStore();
    const ask = openProcess(store);
    expect(await numbersOf([ask(), ask(), ask()])).toEqual([1, 2, 3]);
    expect(store.counts).toEqual([['key', 3]]);
  });

  it('share the next one where they come while a count is in flight', async () => {
    const store = createStore();
    store.held = true;
    const ask = openProcess(store);
    const first = [ask(), ask()];
    await turn();
    const second = [ask(), ask(), ask()];
    await turn();
    expect(store.counts).toEqual([['key', 2]]);
    await store.release();
    expect(await numbersOf(first)).toEqual([1, 2]);
    await store.release();
    expect(await numbersOf(second)).toEqual([3, 4, 5]);
    expect(store.counts).toEqual([2, 3].map((requests) => ['key', requests]));
  });

  it('of several callers are counted apart', async () => {
    const store = createStore();
    const ask = openProcess(store);
    expect(await numbersOf([ask(chainOf('a')), ask(chainOf('b')), ask(chainOf('a'))])).toEqual([1, 1, 2]);
    expect(store.counts).toEqual([
      ['a', 2],
      ['b', 1],
    ]);
  });

  it('fail together with their count, and the next ones are counted', async () => {
    const store = createStore();
    let isFailing = true;
    const ask = openProcess({
      count: (chain, requests) => (isFailing ? Promise.reject(new Error('no store')) : store.count(chain, requests)),
    });
    const failed = await Promise.allSettled([ask(), ask()]);
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    isFailing = false;
    expect(await numbersOf([ask()])).toEqual([1]);
  });
});

describe('a limit that is used up', () => {
  const used = chainOf('key', 0);

  it('refuses without a count until its window ends', async () => {
    const store = createStore();
    const ask = openProcess(store);
    await ask(used);
    await later(900);
    expect(ask(used)).toMatchObject({ number: 1, msBeforeNext: WINDOW_MS - 900 });
    expect(store.counts).toHaveLength(1);
    await later(WINDOW_MS - 900);
    expect(await numbersOf([ask(used)])).toEqual([2]);
  });

  it('of one key leaves other keys alone, and one that is changed is another limit', async () => {
    const ask = openProcess(createStore());
    await ask(used);
    expect(await numbersOf([ask(chainOf('other', 0)), ask(chainOf('key', 1))])).toEqual([1, 1]);
  });

  it('of an account refuses all of its keys, and counts nothing for their own limits', async () => {
    const store = createStore();
    const ask = openProcess(store);
    await ask(chainOf('key account', 0));
    expect(ask(chainOf('sibling account', 0))).toMatchObject({ level: { id: 'account' } });
    expect(store.counts).toHaveLength(1);
  });
});
