/** Starts of one account that come at once and all count as few. */
const BURST = 4;
/** Beyond the burst, one start in this time counts as few. */
const SPACING_MS = 500;
/** How long a flood counts after its end at most: until then its account's next starts do not pass those that it has waiting. */
const REMEMBERED_MS = 60_000;
/** Accounts that are remembered at most; forgetting one makes it light. */
const MAX_ACCOUNTS = 10_000;

/** Finds accounts that have begun few tasks of a family lately, by this process's own count. */
export class LightAccounts {
  /** The time, by account and family, at which all starts would have come, had they come at that pace. */
  readonly #pacedUntil = new Map<string, number>();
  readonly #now: () => number;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Counts one more start; true: its account is light. */
  take(accountId: string, family: string): boolean {
    const key = `${family} ${accountId}`;
    const now = this.#now();
    const pacedUntil = Math.max(now, this.#pacedUntil.get(key) ?? 0);
    this.#pacedUntil.delete(key);
    this.#pacedUntil.set(key, Math.min(pacedUntil + SPACING_MS, now + REMEMBERED_MS));
    this.#forgetOldest();
    return pacedUntil - now <= (BURST - 1) * SPACING_MS;
  }

  #forgetOldest(): void {
    if (this.#pacedUntil.size <= MAX_ACCOUNTS) return;
    const [oldest] = this.#pacedUntil.keys();
    if (oldest !== undefined) this.#pacedUntil.delete(oldest);
  }
}
