/** Stands for the account of callers who have shown no key: all of them count together. */
export const NOBODY = '';

/** How far each account is ahead of its own speed. Only those who are ahead have an entry. */
export class PaceClocks {
  readonly #now: () => number;
  /** When an account's work would be done at its speed, by `now`, in the order of their last work. */
  readonly #until = new Map<string, number>();

  constructor(now = () => performance.now()) {
    this.#now = now;
  }

  /** How far the account is ahead of its speed, in milliseconds. */
  aheadMs(accountId: string): number {
    const until = this.#until.get(accountId);
    return until === undefined ? 0 : Math.max(0, until - this.#now());
  }

  /** Adds work that takes so long at the account's speed, or takes it back; answers with how far it is ahead then. */
  add(accountId: string, ms: number): number {
    const now = this.#now();
    const until = Math.max(now, this.#until.get(accountId) ?? 0) + ms;
    this.#until.delete(accountId);
    for (const [id, past] of this.#until) {
      if (past > now) break;
      this.#until.delete(id);
    }
    this.#until.set(accountId, until);
    return until - now;
  }
}
