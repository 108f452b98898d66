import { type BatchTally, retry } from '@mediagate/concurrency';
import { createBatcher, DatabaseConflictError, DatabaseUnavailableError } from '@mediagate/database';
import { AccountTurns, type FindFreeAccounts } from './account-turns';

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

export interface AccountBatchersOptions<Item, Result> {
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
