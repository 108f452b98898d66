import { DatabaseConflictError } from '@mediagate/database';

/** Accounts whose row is waited for at once, each on a connection. */
const MAX_IN_FLIGHT = 2;

/** Finds some of these accounts whose rows nobody holds; none: every row is held. */
export type FindFreeAccounts = (accounts: readonly string[]) => Promise<string[]>;

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
