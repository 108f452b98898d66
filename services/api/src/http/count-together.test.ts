import { type AddPoints, countTogether } from './count-together';

describe('counting together', () => {
  /** A store that counts by key and waits for `release` before each answer. */
  function createStore() {
    const totals = new Map<string, number>();
    const calls: [string, number][] = [];
    let release: () => void = () => undefined;
    const add: AddPoints = async (keyId, points) => {
      calls.push([keyId, points]);
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      totals.set(keyId, (totals.get(keyId) ?? 0) + points);
      return { consumedPoints: totals.get(keyId) ?? 0, msBeforeNext: 1000 };
    };
    return { add, calls, release: () => release() };
  }
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  const numbers = async (places: Promise<{ number: number }>[]) =>
    (await Promise.all(places)).map(({ number }) => number);

  it('gives every request its own number, in the order of arrival', async () => {
    const count = countTogether(async (_keyId, points) => ({ consumedPoints: 40 + points, msBeforeNext: 5 }));
    await expect(Promise.all([count('a'), count('a'), count('a')])).resolves.toEqual([
      { number: 41, msBeforeNext: 5 },
      { number: 42, msBeforeNext: 5 },
      { number: 43, msBeforeNext: 5 },
    ]);
  });

  it('takes what comes while a count is under way into the next one', async () => {
    const { add, calls, release } = createStore();
    const count = countTogether(add);
    const first = [count('a'), count('a')];
    await turn();
    const second = [count('a'), count('a'), count('a')];
    await turn();
    expect(calls).toEqual([['a', 2]]);
    release();
    await expect(numbers(first)).resolves.toEqual([1, 2]);
    await turn();
    release();
    await expect(numbers(second)).resolves.toEqual([3, 4, 5]);
    expect(calls).toEqual([
      ['a', 2],
      ['a', 3],
    ]);
  });

  it('counts keys apart', async () => {
    const calls: [string, number][] = [];
    const count = countTogether(async (keyId, points) => {
      calls.push([keyId, points]);
      return { consumedPoints: points, msBeforeNext: 0 };
    });
    await expect(numbers([count('a'), count('b'), count('a')])).resolves.toEqual([1, 1, 2]);
    expect(calls).toEqual([
      ['a', 2],
      ['b', 1],
    ]);
  });

  it('tells all of a group when its count fails, and goes on with the next', async () => {
    let failing = true;
    const count = countTogether(async (_keyId, points) => {
      if (failing) throw new Error('no store');
      return { consumedPoints: points, msBeforeNext: 0 };
    });
    const failed = await Promise.allSettled([count('a'), count('a')]);
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    failing = false;
    await expect(count('a')).resolves.toEqual({ number: 1, msBeforeNext: 0 });
  });
});
