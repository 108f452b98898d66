/** Groups of batches that were taken apart, run at once by one batcher: what else the process does needs connections, too. */
const MAX_APART_IN_FLIGHT = 4;

/** Counts the work of batchers since their process began; several may share one tally. */
export interface BatchTally {
  batches: number;
  /** Items of all batches; an item that is run again is counted again. */
  items: number;
  /** Items that wait now, for the next batch or to be run again. */
  waiting: number;
}

export interface BatcherOptions<Item, Result> {
  /** Items of one batch at most. Default: no limit but `maxWaiting`. */
  maxItems?: number;
  /** Items that wait at most; beyond it a call is refused at once, so that memory has a bound. */
  maxWaiting: number;
  /** Batches under way at once. Default 1: so the batches of a process never contend with each other for a row. */
  maxInFlight?: number;
  /** Runs one batch; answers in the order of its items, each with a result or a promise of it. */
  run(items: Item[]): Promise<(Result | Promise<Result>)[]>;
  /** The tally that counts the work; default: none. */
  tally?: BatchTally;
  /** Items of one group wait for the same row. Default: each item is a group by itself. */
  groups?: ItemGroups<Item> | undefined;
  /** The error of a call while `maxWaiting` items wait. */
  full(maxWaiting: number): Error;
  /** Whether an error is that of every item. */
  failsAll(error: unknown): boolean;
}

export interface ItemGroups<Item> {
  keyOf(item: Item): string;
  /** Whether an error is that of every item where all are of one group. */
  failsAll(error: unknown): boolean;
}

/**
 * Group commit without a timer: the first item goes at once, and what arrives while its batch is in flight shares the next
 * one. One caller alone waits for nobody; sixty-four at once pay for one commit.
 *
 * A batch that throws is taken apart into its groups, and a group that throws into its items. They are run a few at once, while the
 * next batch goes on: the fault of one item is never another's, and the wait of one group is never another's.
 */
export function createBatcher<Item, Result>(options: BatcherOptions<Item, Result>): (item: Item) => Promise<Result> {
  const batcher = new Batcher(options);
  return (item) => batcher.add(item);
}

class Batcher<Item, Result> {
  readonly #options: BatcherOptions<Item, Result>;
  readonly #tally: BatchTally;
  readonly #next: Waiting<Item, Result>[] = [];
  readonly #apart: Waiting<Item, Result>[][] = [];
  /** Items in `#next` and `#apart` together. */
  #waiting = 0;
  #inFlight = 0;
  #apartInFlight = 0;

  constructor(options: BatcherOptions<Item, Result>) {
    this.#options = options;
    this.#tally = options.tally ?? newTally();
  }

  add(item: Item): Promise<Result> {
    const { maxWaiting, maxInFlight = 1, full } = this.#options;
    if (this.#waiting >= maxWaiting) return Promise.reject(full(maxWaiting));
    return new Promise<Result>((resolve, reject) => {
      this.#next.push({ item, resolve, reject });
      this.#count(1);
      if (this.#inFlight >= maxInFlight) return;
      this.#inFlight += 1;
      // Everything that arrives in this turn of the event loop joins the first batch.
      setImmediate(() => void this.#drain());
    });
  }

  async #drain(): Promise<void> {
    const { maxItems = this.#options.maxWaiting } = this.#options;
    while (this.#next.length > 0) await this.#run(this.#next.splice(0, maxItems));
    this.#inFlight -= 1;
  }

  async #run(batch: Waiting<Item, Result>[]): Promise<void> {
    this.#count(-batch.length);
    this.#tally.batches += 1;
    this.#tally.items += batch.length;
    for (const group of await runBatch(batch, this.#options)) this.#runApart(group);
  }

  #runApart(group: Waiting<Item, Result>[]): void {
    this.#count(group.length);
    this.#apart.push(group);
    if (this.#apartInFlight >= MAX_APART_IN_FLIGHT) return;
    this.#apartInFlight += 1;
    void this.#drainApart();
  }

  async #drainApart(): Promise<void> {
    for (let group = this.#apart.shift(); group !== undefined; group = this.#apart.shift()) await this.#run(group);
    this.#apartInFlight -= 1;
  }

  #count(items: number): void {
    this.#waiting += items;
    this.#tally.waiting += items;
  }
}

export function newTally(): BatchTally {
  return { batches: 0, items: 0, waiting: 0 };
}

interface Waiting<Item, Result> {
  item: Item;
  resolve(result: Result | Promise<Result>): void;
  reject(error: unknown): void;
}

/** Never rejects: every item of the batch has its own promise. Answers what is to be run again, each apart from the others. */
async function runBatch<Item, Result>(
  batch: Waiting<Item, Result>[],
  options: BatcherOptions<Item, Result>,
): Promise<Waiting<Item, Result>[][]> {
  try {
    const results = await options.run(batch.map((entry) => entry.item));
    batch.forEach((entry, index) => {
      entry.resolve(results[index] as Result | Promise<Result>);
    });
    return [];
  } catch (error) {
    const parts = options.failsAll(error) ? [batch] : partsOf(batch, error, options);
    if (parts.length > 1) return parts;
    for (const entry of batch) entry.reject(error);
    return [];
  }
}

/** Takes a batch apart; if one part is returned, there is nothing to take apart. */
function partsOf<Item, Result>(
  batch: Waiting<Item, Result>[],
  error: unknown,
  { groups }: BatcherOptions<Item, Result>,
): Waiting<Item, Result>[][] {
  const single = batch.map((entry) => [entry]);
  if (!groups) return single;
  const byKey = new Map<string, Waiting<Item, Result>[]>();
  for (const entry of batch) {
    const key = groups.keyOf(entry.item);
    byKey.set(key, [...(byKey.get(key) ?? []), entry]);
  }
  return byKey.size > 1 || groups.failsAll(error) ? [...byKey.values()] : single;
}
