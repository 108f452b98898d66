export interface PaceLimits {
  perSecond: number;
  /** How many may come at once. */
  burst: number;
  /** How far an owner counts as ahead at most, in milliseconds. Default: no limit. */
  maxAheadMs?: number;
}

/** Forgetting an owner lets it begin anew. Where one stranger can be that many owners, a pace of all of them has to hold, too. */
const MAX_OWNERS = 10_000;

/**
 * How much of something each owner (an account, an address) has a second, in this process: the generic cell rate algorithm. Only
 * owners who are ahead are remembered, of too many those that came last.
 */
export class Pace {
  readonly #oneMs: number;
  readonly #burstMs: number;
  readonly #maxAheadMs: number;
  readonly #now: () => number;
  /** When an owner's work would be done at its pace, by `now`, in the order of their last work. */
  readonly #until = new Map<string, number>();

  constructor({ perSecond, burst, maxAheadMs = Number.POSITIVE_INFINITY }: PaceLimits, now = () => performance.now()) {
    this.#oneMs = 1000 / perSecond;
    this.#burstMs = burst * this.#oneMs;
    this.#maxAheadMs = maxAheadMs;
    this.#now = now;
  }

  /** How far the owner is ahead of its pace, in milliseconds. */
  aheadMs(owner: string): number {
    return Math.max(0, (this.#until.get(owner) ?? 0) - this.#now());
  }

  /** Time until the owner may have one more, in milliseconds. */
  waitMs(owner: string): number {
    return Math.max(0, this.aheadMs(owner) + this.#oneMs - this.#burstMs);
  }

  /** Counts so many; a negative number takes back what was counted. Returns how far the owner is ahead of its pace, in milliseconds. */
  count(owner: string, number = 1): number {
    const now = this.#now();
    const aheadMs = Math.min(this.aheadMs(owner) + number * this.#oneMs, this.#maxAheadMs);
    this.#until.delete(owner);
    for (const [other, past] of this.#until) {
      if (past > now && this.#until.size < MAX_OWNERS) break;
      this.#until.delete(other);
    }
    this.#until.set(owner, now + aheadMs);
    return aheadMs;
  }
}
