import { createBatcher } from './batcher';
import { DatabaseUnavailableError } from './database-error';

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
