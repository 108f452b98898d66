/** Callers of one process who may wait. Each of them holds a connection and the body of a request. */
const MAX_WAITING = 1000;

/**
 * Counts the callers who wait in this process. An account may have half as many of them as there are slots for others, so
 * however many keys one account has, the next account finds a slot.
 */
export class WaitingCallers {
  readonly #waitingOf = new Map<string, number>();
  #waiting = 0;

  /** False: the account has its share already, or no slot is free. */
  enter(accountId: string): boolean {
    const own = this.#waitingOf.get(accountId) ?? 0;
    const free = MAX_WAITING - this.#waiting;
    if (own >= free / 2) return false;
    this.#waitingOf.set(accountId, own + 1);
    this.#waiting += 1;
    return true;
  }

  /** To be called once for each `enter` that was true. */
  leave(accountId: string): void {
    const others = (this.#waitingOf.get(accountId) ?? 0) - 1;
    if (others > 0) this.#waitingOf.set(accountId, others);
    else this.#waitingOf.delete(accountId);
    this.#waiting -= 1;
  }
}
