import { GatewayError, message } from '@mediagate/contracts';

/** Stands for the account of callers who have shown no key: all of them count together. */
export const NOBODY = '';

export interface PaceLimits {
  perSecond: number;
  /** How many may come at once. */
  burst: number;
}

/** How much of something each owner (an account, an address) has a second, in this process. Only owners who are ahead have an entry. */
export class Pace {
  readonly #oneMs: number;
  readonly #burstMs: number;
  readonly #now: () => number;
  /** When an owner's work would be done at its pace, by `now`, in the order of their last work. */
  readonly #until = new Map<string, number>();

  constructor({ perSecond, burst }: PaceLimits, now = () => performance.now()) {
    this.#oneMs = 1000 / perSecond;
    this.#burstMs = burst * this.#oneMs;
    this.#now = now;
  }

  /** Time until the owner may have one more, in milliseconds. */
  waitMs(owner: string): number {
    return Math.max(0, this.#aheadMs(owner) + this.#oneMs - this.#burstMs);
  }

  /** Counts so many; a negative number takes back what was counted. Returns how far the owner is ahead of its pace, in milliseconds. */
  count(owner: string, number = 1): number {
    const now = this.#now();
    const aheadMs = this.#aheadMs(owner) + number * this.#oneMs;
    this.#until.delete(owner);
    for (const [other, past] of this.#until) {
      if (past > now) break;
      this.#until.delete(other);
    }
    this.#until.set(owner, now + aheadMs);
    return aheadMs;
  }

  /** Counts a request. @throws GatewayError `rate_limited`; such a request does not count. */
  admit(owner: string): void {
    const seconds = Math.ceil(this.waitMs(owner) / 1000);
    if (seconds > 0) {
      throw new GatewayError('rate_limited', message('too_many_requests', { seconds }), { retryAfterSeconds: seconds });
    }
    this.count(owner);
  }

  #aheadMs(owner: string): number {
    return Math.max(0, (this.#until.get(owner) ?? 0) - this.#now());
  }
}
