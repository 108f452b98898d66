/** Texts of a key within the window that make it busy. */
const BUSY_STARTS = 8;
const WINDOW_MS = 1000;
/** Keys that are remembered at most; forgetting one makes it idle. */
const MAX_KEYS = 10_000;

interface KeyStarts {
  since: number;
  starts: number;
}

/** Which keys begin so many texts that it is worth taking credit for them. Times by `performance.now()`. */
export class BusyKeys {
  readonly #keys = new Map<string, KeyStarts>();

  /** Counts one more start; true: the key is busy. */
  count(keyId: string, now: number): boolean {
    const known = this.#keys.get(keyId);
    const current = known && now - known.since < WINDOW_MS ? known : { since: now, starts: 0 };
    current.starts += 1;
    this.#remember(keyId, current);
    return current.starts >= BUSY_STARTS;
  }

  /** The key is not busy for so long. */
  rest(keyId: string, now: number, restMs: number): void {
    this.#remember(keyId, { since: now + restMs - WINDOW_MS, starts: Number.NEGATIVE_INFINITY });
  }

  #remember(keyId: string, starts: KeyStarts): void {
    this.#keys.delete(keyId);
    this.#keys.set(keyId, starts);
    if (this.#keys.size <= MAX_KEYS) return;
    const [oldest] = this.#keys.keys();
    if (oldest !== undefined) this.#keys.delete(oldest);
  }
}
