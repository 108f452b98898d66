import { DatabaseUnavailableError } from './database-error';

export interface BatcherOptions<Item, Result> {
  maxItems: number;
  /** Items that wait at most; beyond it a call is refused at once, so that memory has a bound. */
  maxWaiting: number;
  /** Batches under way at once. Default 1: so the batches of a process never contend with each other for a row. */
  maxInFlight?: number;
  /** Runs one batch; answers in the order of its items. */
  run(items: Item[]): Promise<Result[]>;
}

/**
 * Group commit without a timer: the first item goes at once, and what arrives while its statement is in flight shares the
 * next one. One caller alone waits for nobody; sixty-four at once pay for one commit.
 *
 * A batch that throws is taken apart and its items are run each by itself, while the next batch goes on: the fault, or the
 * wait, of one item is never another's. Only an unreachable database is everybody's.
 *
 * @throws DatabaseUnavailableError also when more than `maxWaiting` items wait.
 */
export function createBatcher<Item, Result>(options: BatcherOptions<Item, Result>): (item: Item) => Promise<Result> {
  const { maxInFlight = 1 } = options;
  let waiting: Waiting<Item, Result>[] = [];
  let inFlight = 0;

  async function drain(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, options.maxItems);
      waiting = waiting.slice(options.maxItems);
      await runBatch(batch, options.run);
    }
    inFlight -= 1;
  }

  return (item) =>
    new Promise<Result>((resolve, reject) => {
      if (waiting.length >= options.maxWaiting) {
        reject(new DatabaseUnavailableError(new Error(`${options.maxWaiting} items wait already`)));
        return;
      }
      waiting.push({ item, resolve, reject });
      if (inFlight >= maxInFlight) return;
      inFlight += 1;
      // Everything that arrives in this turn of the event loop joins the first batch.
      setImmediate(() => void drain());
    });
}

interface Waiting<Item, Result> {
  item: Item;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/** Never rejects: every item of the batch has its own promise. */
async function runBatch<Item, Result>(
  batch: Waiting<Item, Result>[],
  run: BatcherOptions<Item, Result>['run'],
): Promise<void> {
  try {
    const results = await run(batch.map((entry) => entry.item));
    batch.forEach((entry, index) => {
      entry.resolve(results[index] as Result);
    });
  } catch (error) {
    if (batch.length === 1 || error instanceof DatabaseUnavailableError) {
      for (const entry of batch) entry.reject(error);
      return;
    }
    for (const entry of batch) void runBatch([entry], run);
  }
}
