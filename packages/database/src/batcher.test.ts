import { newTally } from '@mediagate/concurrency';
import { createBatcher } from './batcher';
import { DatabaseConflictError, DatabaseUnavailableError } from './database-error';

/** A run that waits for a signal, so that a test decides what arrives while it is in flight. */
function gatedRun() {
  const batches: number[][] = [];
  const gates: (() => void)[] = [];
  return {
    batches,
    async open() {
      while (gates.length === 0) await new Promise((resolve) => setImmediate(resolve));
      gates.shift()?.();
    },
    run: async (items: number[]) => {
      batches.push(items);
      await new Promise<void>((resolve) => gates.push(resolve));
      return items.map((item) => item * 10);
    },
  };
}

describe('a batcher', () => {
  it('sends the first item at once and gathers what arrives while its statement is in flight', async () => {
    const { run, batches, open } = gatedRun();
    const add = createBatcher({ maxItems: 64, maxWaiting: 100, run });
    const first = add(1);
    await new Promise((resolve) => setImmediate(resolve));
    const rest = [add(2), add(3)];
    await open();
    await open();
    expect(await Promise.all([first, ...rest])).toEqual([10, 20, 30]);
    expect(batches).toEqual([[1], [2, 3]]);
  });

  it('never sends more than its limit in one batch', async () => {
    const batches: number[][] = [];
    const run = async (items: number[]) => {
      batches.push(items);
      return items;
    };
    const add = createBatcher({ maxItems: 2, maxWaiting: 100, run });
    await Promise.all([1, 2, 3, 4, 5].map(add));
    expect(batches).toEqual([[1, 2], [3, 4], [5]]);
  });

  it('runs a failed batch again item by item, so that one bad item fails alone', async () => {
    const run = async (items: number[]) => {
      if (items.includes(2)) throw new Error('two is bad');
      return items;
    };
    const add = createBatcher({ maxItems: 64, maxWaiting: 100, run });
    const results = await Promise.allSettled([1, 2, 3].map(add));
    expect(results.map((result) => result.status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  it('runs four items of failed batches at once, and no more, however many batches failed', async () => {
    let [now, most, failed] = [0, 0, 0];
    const run = async (items: number[]) => {
      if (items.length > 1) {
        failed += 1;
        throw new Error('one is bad');
      }
      now += 1;
      most = Math.max(most, now);
      await new Promise((resolve) => setImmediate(resolve));
      now -= 1;
      return items;
    };
    const add = createBatcher({ maxItems: 16, maxWaiting: 100, run });
    const items = Array.from({ length: 48 }, (_, index) => index);
    expect(await Promise.all(items.map(add))).toEqual(items);
    expect([failed, most]).toEqual([3, 4]);
  });

  it('runs a failed batch again by the rows that its items are for, and fails those of a held row together', async () => {
    const batches: number[][] = [];
    const run = async (items: number[]) => {
      batches.push(items);
      if (items.includes(7)) throw new Error('seven is bad');
      if (items.some((item) => item < 0)) throw new DatabaseConflictError(new Error('the row is held'));
      return items;
    };
    const add = createBatcher({ maxItems: 64, maxWaiting: 100, run, rowOf: (item) => String(Math.sign(item)) });
    const results = await Promise.allSettled([1, -1, 7, -2, 3, -3].map(add));
    expect(results.map(({ status }) => status === 'fulfilled')).toEqual([true, false, false, false, true, false]);
    expect(batches).toEqual([[1, -1, 7, -2, 3, -3], [1, 7, 3], [-1, -2, -3], [1], [7], [3]]);
  });

  it('counts what waits to be run again, and refuses what exceeds its bound with it', async () => {
    const tally = newTally();
    const gates: (() => void)[] = [];
    const run = async (items: number[]) => {
      if (items.length > 1) throw new Error('one is bad');
      await new Promise<void>((resolve) => gates.push(resolve));
      return items;
    };
    const add = createBatcher({ maxItems: 64, maxWaiting: 6, run, tally });
    const accepted = [1, 2, 3, 4, 5, 6].map(add);
    while (gates.length < 4) await new Promise((resolve) => setImmediate(resolve));
    expect(tally).toEqual({ batches: 5, items: 10, waiting: 2 });
    const more = [7, 8, 9, 10].map(add);
    await expect(add(11)).rejects.toBeInstanceOf(DatabaseUnavailableError);
    const opening = setInterval(() => gates.splice(0).map((open) => open()));
    expect(await Promise.all([...accepted, ...more])).toHaveLength(10);
    clearInterval(opening);
    expect(tally.waiting).toBe(0);
  });

  it('fails the whole batch at once when the database is away', async () => {
    let runs = 0;
    const run = async (): Promise<number[]> => {
      runs += 1;
      throw new DatabaseUnavailableError(new Error('gone'));
    };
    const add = createBatcher<number, number>({ maxItems: 64, maxWaiting: 100, run });
    const results = await Promise.allSettled([1, 2, 3].map(add));
    expect(results.every((result) => result.status === 'rejected')).toBe(true);
    expect(runs).toBe(1);
  });

  it('refuses what exceeds its bound instead of holding it', async () => {
    const { run, open } = gatedRun();
    const add = createBatcher({ maxItems: 1, maxWaiting: 2, run });
    const accepted = [add(1), add(2)];
    await expect(add(3)).rejects.toBeInstanceOf(DatabaseUnavailableError);
    await open();
    await open();
    expect(await Promise.all(accepted)).toEqual([10, 20]);
  });

  it('goes on after a failure', async () => {
    let fail = true;
    const run = async (items: number[]) => {
      if (fail) throw new Error('once');
      return items;
    };
    const add = createBatcher({ maxItems: 64, maxWaiting: 100, run });
    await expect(add(1)).rejects.toThrow('once');
    fail = false;
    expect(await add(2)).toBe(2);
  });
});
