import type { CountRequests, Position, RateChain } from './count-requests';
import { countTogether } from './count-together';

const LEVEL = { name: 'query', id: 'a', limits: { second: 50, minute: 100 } };
const placed = (number: number): Position => ({
  level: LEVEL,
  window: 'minute',
  number,
  msBeforeNext: 1000,
  clear: { requests: 0, ms: 1000 },
});
const of = (signature: string): RateChain => ({ signature, accountId: 'account', levels: [LEVEL] });
const places = (before: number, requests: number) =>
  Array.from({ length: requests }, (_, index) => placed(before + index + 1));

describe('counting together', () => {
  /** A store that counts by key and waits for `release` before each answer. */
  function createStore() {
    const totals = new Map<string, number>();
    const calls: [string, number][] = [];
    let release: () => void = () => undefined;
    const count: CountRequests = async ({ signature: keyId }, requests) => {
      calls.push([keyId, requests]);
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      const before = totals.get(keyId) ?? 0;
      totals.set(keyId, before + requests);
      return places(before, requests);
    };
    return { count, calls, release: () => release() };
  }
  const turn = () => new Promise((resolve) => setImmediate(resolve));

  it('gives every request its own place, in the order of arrival', async () => {
    const count = countTogether(async (_keyId, requests) => places(40, requests));
    await expect(Promise.all([count(of('a')), count(of('a')), count(of('a'))])).resolves.toEqual(
      [41, 42, 43].map(placed),
    );
  });

  it('takes what comes while a count is under way into the next one', async () => {
    const store = createStore();
    const count = countTogether(store.count);
    const first = [count(of('a')), count(of('a'))];
    await turn();
    const second = [count(of('a')), count(of('a')), count(of('a'))];
    await turn();
    expect(store.calls).toEqual([['a', 2]]);
    store.release();
    await expect(Promise.all(first)).resolves.toEqual([1, 2].map(placed));
    await turn();
    store.release();
    await expect(Promise.all(second)).resolves.toEqual([3, 4, 5].map(placed));
    expect(store.calls).toEqual([
      ['a', 2],
      ['a', 3],
    ]);
  });

  it('counts keys apart', async () => {
    const calls: [string, number][] = [];
    const count = countTogether(async ({ signature: keyId }, requests) => {
      calls.push([keyId, requests]);
      return places(0, requests);
    });
    await expect(Promise.all([count(of('a')), count(of('b')), count(of('a'))])).resolves.toEqual([1, 1, 2].map(placed));
    expect(calls).toEqual([
      ['a', 2],
      ['b', 1],
    ]);
  });

  it('tells all of a group when its count fails, and goes on with the next', async () => {
    let failing = true;
    const count = countTogether(async (_keyId, requests) => {
      if (failing) throw new Error('no store');
      return places(0, requests);
    });
    const failed = await Promise.allSettled([count(of('a')), count(of('a'))]);
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    failing = false;
    await expect(count(of('a'))).resolves.toEqual(placed(1));
  });
});
