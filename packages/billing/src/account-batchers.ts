import { type BatchTally, retry } from '@mediagate/concurrency';
import { createBatcher, DatabaseConflictError, DatabaseUnavailableError } from '@mediagate/database';

const MAX_BATCH_ITEMS = 64;
/** Items of all accounts together. */
const MAX_WAITING_ITEMS = 5000;
/** Each try waits for the row as long as a statement does. */
const TRIES = 8;
const PAUSE_MS = 10;

interface OwnBatcher<Item, Result> {
  add(item: Item): Promise<Result>;
  pending: number;
}

type Run<Item, Result> = (items: Item[]) => Promise<(Result | Promise<Result>)[]>;

interface AccountBatchersOptions<Item, Result> {
  run: Run<Item, Result>;
  findFree: FindFreeAccounts;
  tally: BatchTally;
}

/**
 * Batches items whose account's row somebody holds, account by account: each item waits for its own account's row alone, and the
 * items of one account share a statement. An account has a batcher for as long as the batcher has an item.
 *
 * @throws (`add`) DatabaseUnavailableError also when more than `MAX_WAITING_ITEMS` items wait.
 */
export class AccountBatchers<Item, Result> {
  readonly #batchers = new Map<string, OwnBatcher<Item, Result>>();
  readonly #turns: AccountTurns;
  readonly #run: Run<Item, Result>;
  readonly #tally: BatchTally;
  #waiting = 0;

  constructor({ run, findFree, tally }: AccountBatchersOptions<Item, Result>) {
    this.#run = run;
    this.#turns = new AccountTurns(findFree);
    this.#tally = tally;
  }

  has(account: string): boolean {
    return this.#batchers.has(account);
  }

  async add(account: string, item: Item): Promise<Result> {
    if (this.#waiting >= MAX_WAITING_ITEMS) throw full();
    const own = this.#batchers.get(account) ?? this.#open(account);
    own.pending += 1;
    this.#waiting += 1;
    try {
      return await own.add(item);
    } finally {
      own.pending -= 1;
      this.#waiting -= 1;
      if (own.pending === 0) this.#batchers.delete(account);
    }
  }

  #open(account: string): OwnBatcher<Item, Result> {
    const add = createBatcher<Item, Result>({
      maxItems: MAX_BATCH_ITEMS,
      maxWaiting: MAX_WAITING_ITEMS,
      tally: this.#tally,
      rowOf: () => account,
      run: (items) => this.#runPatiently(account, items),
    });
    const own = { add, pending: 0 };
    this.#batchers.set(account, own);
    return own;
  }

  #runPatiently(account: string, items: Item[]): ReturnType<Run<Item, Result>> {
    return retry(() => this.#turns.run(account, () => this.#run(items)), {
      tries: TRIES,
      firstPauseMs: PAUSE_MS,
      isWorthRetrying: (error) => error instanceof DatabaseConflictError,
    });
  }
}

function full(): DatabaseUnavailableError {
  return new DatabaseUnavailableError(new Error(`${MAX_WAITING_ITEMS} items wait for rows of accounts already`));
}

/** Accounts whose row is waited for at once, each on a connection. */
const MAX_IN_FLIGHT = 2;

/** Finds some of these accounts whose rows nobody holds; none: every row is held. */
type FindFreeAccounts = (accounts: readonly string[]) => Promise<string[]>;

/** Turns of accounts whose row was held. An account whose row is free again goes before accounts that still have to wait. */
export class AccountTurns {
  readonly #findFree: FindFreeAccounts;
  /** The functions that begin turns, by account: several items of one may wait, each for its own. */
  readonly #waiting = new Map<string, (() => void)[]>();
  /** Accounts whose rows were free when they were last looked at, until they have had a turn or one of them was held after all. */
  #free: string[] = [];
  #inFlight = 0;

  constructor(findFree: FindFreeAccounts) {
    this.#findFree = findFree;
  }

  async run<T>(account: string, work: () => Promise<T>): Promise<T> {
    await new Promise<void>((begin) => {
      this.#waiting.set(account, [...(this.#waiting.get(account) ?? []), begin]);
      this.#admit();
    });
    try {
      return await work();
    } catch (error) {
      // Rows are held again: the next turn looks anew.
      if (error instanceof DatabaseConflictError) this.#free = [];
      throw error;
    } finally {
      this.#inFlight -= 1;
      this.#admit();
    }
  }

  #admit(): void {
    if (this.#inFlight >= MAX_IN_FLIGHT || this.#waiting.size === 0) return;
    this.#inFlight += 1;
    void this.#admitNext();
  }

  async #admitNext(): Promise<void> {
    if (this.#waiting.size > 1 && this.#free.length === 0) {
      // A look that fails costs accounts their places in front, no more.
      this.#free = await this.#findFree([...this.#waiting.keys()]).catch(() => []);
    }
    const begin = this.#takeNext();
    if (begin !== undefined) return begin();
    // The other slot took the last one meanwhile.
    this.#inFlight -= 1;
  }

  /** Takes one of those that wait in a single step, so that both slots never take the same. */
  #takeNext(): (() => void) | undefined {
    const account = this.#nextAccount();
    if (account === undefined) return undefined;
    const [begin, ...others] = this.#waiting.get(account) ?? [];
    this.#waiting.delete(account);
    if (others.length > 0) this.#waiting.set(account, others);
    return begin;
  }

  #nextAccount(): string | undefined {
    for (let free = this.#free.shift(); free !== undefined; free = this.#free.shift()) {
      if (this.#waiting.has(free)) return free;
    }
    const [first] = this.#waiting.keys();
    return first;
  }
}
