/** What batchers have done since their process began; several may share one. */
export interface BatchTally {
  batches: number;
  /** Of all batches. */
  items: number;
  /** Now, for the next batch. */
  waiting: number;
}

export interface BatcherOptions<Item, Result> {
  /** Of one batch. Default: no limit but `maxWaiting`. */
  maxItems?: number;
  /** Items that wait at most; beyond it a call is refused at once, so that memory has a bound. */
  maxWaiting: number;
  /** Batches under way at once. Default 1: so the batches of a process never contend with each other for a row. */
  maxInFlight?: number;
  /** Runs one batch; answers in the order of its items, each with a result or a promise of it. */
  run(items: Item[]): Promise<(Result | Promise<Result>)[]>;
  /** Counted in; default: nowhere. */
  tally?: BatchTally;
  /** The error of a call when as many wait as may. */
  full(maxWaiting: number): Error;
  /** Whether an error is that of every item; after any other the items of a batch are run each by itself. */
  failsAll(error: unknown): boolean;
}

/**
 * Group commit without a timer: the first item goes at once, and what arrives while its batch is in flight shares the next
 * one. One caller alone waits for nobody; sixty-four at once pay for one commit.
 *
 * A batch that throws is taken apart and its items are run each by itself, while the next batch goes on: the fault, or the
 * wait, of one item is never another's.
 */
export function createBatcher<Item, Result>(options: BatcherOptions<Item, Result>): (item: Item) => Promise<Result> {
  const { maxItems = options.maxWaiting, maxWaiting, maxInFlight = 1, tally = newTally() } = options;
  let waiting: Waiting<Item, Result>[] = [];
  let inFlight = 0;

  async function drain(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, maxItems);
      waiting = waiting.slice(maxItems);
      tally.batches += 1;
      tally.items += batch.length;
      tally.waiting -= batch.length;
      await runBatch(batch, options);
    }
    inFlight -= 1;
  }

  return (item) =>
    new Promise<Result>((resolve, reject) => {
      if (waiting.length >= maxWaiting) {
        reject(options.full(maxWaiting));
        return;
      }
      waiting.push({ item, resolve, reject });
      tally.waiting += 1;
      if (inFlight >= maxInFlight) return;
      inFlight += 1;
      // Everything that arrives in this turn of the event loop joins the first batch.
      setImmediate(() => void drain());
    });
}

export function newTally(): BatchTally {
  return { batches: 0, items: 0, waiting: 0 };
}

interface Waiting<Item, Result> {
  item: Item;
  resolve(result: Result | Promise<Result>): void;
  reject(error: unknown): void;
}

/** Never rejects: every item of the batch has its own promise. */
async function runBatch<Item, Result>(
  batch: Waiting<Item, Result>[],
  options: Pick<BatcherOptions<Item, Result>, 'run' | 'failsAll'>,
): Promise<void> {
  try {
    const results = await options.run(batch.map((entry) => entry.item));
    batch.forEach((entry, index) => {
      entry.resolve(results[index] as Result | Promise<Result>);
    });
  } catch (error) {
    if (batch.length === 1 || options.failsAll(error)) {
      for (const entry of batch) entry.reject(error);
      return;
    }
    for (const entry of batch) void runBatch([entry], options);
  }
}
