import { countBehind } from './count-behind';
import { leftOf, type Position, type RateChain } from './count-requests';

const LIMIT = 160;
const LEVEL = { name: 'submit', id: 'key', limits: { second: Number.POSITIVE_INFINITY, minute: LIMIT } };
const CHAIN: RateChain = { signature: 'key', accountId: 'account', levels: [LEVEL] };

/** Counts as Redis does, in the order of the calls, for as many processes as ask; a count of many is answered when it is released. */
function store(limit = LIMIT) {
  const level = { ...LEVEL, limits: { ...LEVEL.limits, minute: limit } };
  let counted = 0;
  const windowMs = 60_000;
  const held: (() => void)[] = [];
  const place = (): Position => {
    const clear = { requests: limit - counted, ms: windowMs };
    return { level, window: 'minute', number: counted, msBeforeNext: windowMs, clear };
  };
  const count = jest.fn(async () => {
    counted += 1;
    return place();
  });
  const countMany = jest.fn(async (_chain: RateChain, requests: number) => {
    counted += requests;
    const counts = [place()];
    await new Promise<void>((resolve) => void held.push(resolve));
    return counts;
  });
  const release = () => {
    for (const resolve of held.splice(0)) resolve();
  };
  return { count, countMany, release, counted: () => counted };
}

describe('counting behind', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  const openProcess = (shared: ReturnType<typeof store>) => countBehind({ ...shared, now: () => Date.now() });
  const numberOf = async (place: Position | Promise<Position>) => (await place).number;

  it('lets requests through at once while the limit is far away, each with its own number, and counts every one', async () => {
    const shared = store();
    const ask = openProcess(shared);
    expect(await numberOf(ask(CHAIN))).toBe(1);
    const places = [ask(CHAIN), ask(CHAIN), ask(CHAIN)];
    expect(places.map((place) => (place as Position).number)).toEqual([2, 3, 4]);
    expect(shared.counted()).toBe(1);
    await jest.advanceTimersByTimeAsync(10);
    expect((ask(CHAIN) as Position).number).toBe(5);
    shared.release();
    await jest.advanceTimersByTimeAsync(10);
    shared.release();
    await jest.advanceTimersByTimeAsync(0);
    expect(shared.counted()).toBe(5);
    expect((ask(CHAIN) as Position).number).toBe(6);
    expect(shared.count).toHaveBeenCalledTimes(1);
  });

  it('counts a request first after a pause, and where as many are uncounted as may be', async () => {
    const shared = store();
    const ask = openProcess(shared);
    await ask(CHAIN);
    // A sixteenth of the 159 that are left.
    const uncounted = Array.from({ length: 9 }, () => ask(CHAIN));
    expect(uncounted.every((place) => !(place instanceof Promise))).toBe(true);
    expect(ask(CHAIN)).toBeInstanceOf(Promise);
    await jest.advanceTimersByTimeAsync(10);
    shared.release();
    await jest.advanceTimersByTimeAsync(249);
    expect(ask(CHAIN)).not.toBeInstanceOf(Promise);
    await jest.advanceTimersByTimeAsync(1);
    expect(ask(CHAIN)).toBeInstanceOf(Promise);
  });

  it('lets several processes pass the limit by a sixteenth each at most, and counts all that they let through', async () => {
    const shared = store();
    const processes = Array.from({ length: 4 }, () => openProcess(shared));
    let admitted = 0;
    for (let round = 0; round < 100; round += 1) {
      for (const ask of processes) if (leftOf(await ask(CHAIN)) >= 0) admitted += 1;
    }
    expect(admitted).toBeGreaterThanOrEqual(LIMIT);
    expect(admitted).toBeLessThanOrEqual(LIMIT + 4 * (LIMIT / 16));
    await jest.advanceTimersByTimeAsync(10);
    shared.release();
    await jest.advanceTimersByTimeAsync(0);
    expect(shared.counted()).toBe(400);
  });

  it('lets one process through no further than the limit where what it let through is counted in time', async () => {
    const shared = store();
    const ask = openProcess(shared);
    let admitted = 0;
    for (let round = 0; round < 400; round += 1) {
      if (leftOf(await ask(CHAIN)) >= 0) admitted += 1;
      await jest.advanceTimersByTimeAsync(10);
      shared.release();
      await jest.advanceTimersByTimeAsync(0);
    }
    expect(admitted).toBe(LIMIT);
  });

  it('lets one process alone through no further than the limit, whatever waits to be counted', async () => {
    const waiting: (() => void)[] = [];
    const shared = store(20);
    const held = async () => {
      await new Promise<void>((resolve) => void waiting.push(resolve));
      return shared.count();
    };
    const ask = countBehind({ ...shared, count: held, now: () => Date.now() });
    const countWaiting = async () => {
      for (const resolve of waiting.splice(0)) resolve();
      await jest.advanceTimersByTimeAsync(0);
    };
    const places = [ask(CHAIN), ask(CHAIN), ask(CHAIN)];
    await countWaiting();
    // The next one could be let through by what is left; as soon as others wait for their count, none may go before them.
    places.push(ask(CHAIN), ...Array.from({ length: 10 }, () => ask(CHAIN)));
    await countWaiting();
    places.push(...Array.from({ length: 12 }, () => ask(CHAIN)));
    await countWaiting();
    const admitted = (await Promise.all(places)).filter((place) => leftOf(place) >= 0);
    expect(admitted).toHaveLength(20);
  });

  it('says how long the window still lasts', async () => {
    const shared = store();
    const ask = openProcess(shared);
    await ask(CHAIN);
    await jest.advanceTimersByTimeAsync(100);
    expect(ask(CHAIN)).toMatchObject({ number: 2, msBeforeNext: 59_900 });
  });
});
