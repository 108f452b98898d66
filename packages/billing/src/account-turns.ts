/** Accounts whose row is waited for at once, each on a connection. */
const MAX_IN_FLIGHT = 2;

/** Finds one of these accounts whose row nobody holds; undefined: every row is held. */
export type FindFreeAccount = (accounts: readonly string[]) => Promise<string | undefined>;

interface Waiter {
  account: string;
  begin(): void;
}

/** Turns of accounts whose row was held. An account whose row is free again goes before accounts that still have to wait. */
export class AccountTurns {
  readonly #findFree: FindFreeAccount;
  readonly #waiting = new Set<Waiter>();
  #inFlight = 0;

  constructor(findFree: FindFreeAccount) {
    this.#findFree = findFree;
  }

  async run<T>(account: string, work: () => Promise<T>): Promise<T> {
    await new Promise<void>((begin) => {
      this.#waiting.add({ account, begin });
      this.#admit();
    });
    return work().finally(() => {
      this.#inFlight -= 1;
      this.#admit();
    });
  }

  #admit(): void {
    if (this.#inFlight >= MAX_IN_FLIGHT || this.#waiting.size === 0) return;
    this.#inFlight += 1;
    void this.#admitNext();
  }

  async #admitNext(): Promise<void> {
    const free = this.#waiting.size > 1 ? await this.#freeAccount() : undefined;
    const [first] = this.#waiting;
    const next = [...this.#waiting].find(({ account }) => account === free) ?? first;
    if (next === undefined) {
      // The other slot took the last one meanwhile.
      this.#inFlight -= 1;
      return;
    }
    this.#waiting.delete(next);
    next.begin();
  }

  /** A look that fails costs an account its place in front, no more. */
  #freeAccount(): Promise<string | undefined> {
    return this.#findFree([...this.#waiting].map(({ account }) => account)).catch(() => undefined);
  }
}
