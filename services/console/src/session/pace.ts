export interface PaceOptions {
  /** So many takes at once are let through without waiting. */
  burst: number;
  /** After them, one take is let through in this time. */
  everyMs: number;
  /** A take that would wait longer is refused. */
  maxWaitMs: number;
  /** Milliseconds of a clock that only goes forward. */
  now?(): number;
}

/** Slows callers down, each key by itself (the generic cell rate algorithm). */
export class Pace {
  readonly #options: Required<PaceOptions>;
  /** When the allowance of a key is whole again, in milliseconds of the clock; the key that came last stands last. */
  readonly #wholeAt = new Map<string, number>();

  constructor(options: PaceOptions) {
    this.#options = { now: () => performance.now(), ...options };
  }

  /** How long to wait before going on, in milliseconds; or after how long to try again. */
  take(key: string): { waitMs: number } | { refusedForMs: number } {
    const { burst, everyMs, maxWaitMs, now } = this.#options;
    const current = now();
    const wholeAt = Math.max(current, this.#wholeAt.get(key) ?? 0) + everyMs;
    const waitMs = Math.max(0, wholeAt - current - burst * everyMs);
    if (waitMs > maxWaitMs) return { refusedForMs: waitMs - maxWaitMs };
    this.#wholeAt.delete(key);
    this.#wholeAt.set(key, wholeAt);
    if (this.#wholeAt.size > MAX_KEYS) this.#forgetOldest();
    return { waitMs };
  }

  /** Takes back one `take` that was let through. */
  giveBack(key: string): void {
    const wholeAt = this.#wholeAt.get(key);
    if (wholeAt !== undefined) this.#wholeAt.set(key, wholeAt - this.#options.everyMs);
  }

  /** How many takes of the key still count. */
  owed(key: string): number {
    const { everyMs, now } = this.#options;
    return Math.max(0, (this.#wholeAt.get(key) ?? 0) - now()) / everyMs;
  }

  #forgetOldest(): void {
    const oldest = this.#wholeAt.keys().next();
    if (!oldest.done) this.#wholeAt.delete(oldest.value);
  }
}

/** A stranger with more addresses than this is held up by the pace of all of them together. */
const MAX_KEYS = 10_000;
