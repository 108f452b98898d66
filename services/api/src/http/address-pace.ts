import { GatewayError, message } from '@mediagate/contracts';
import { PaceClocks } from './pace-clocks';

export interface AddressLimits {
  perSecond: number;
  /** Requests that may come at once. */
  burst: number;
}

/** How many requests an address has a second, of routes that ask for no key. Behind a proxy all callers share its address. */
export class AddressPace {
  readonly #clocks: PaceClocks;
  readonly #requestMs: number;
  readonly #burstMs: number;

  constructor({ perSecond, burst }: AddressLimits, now?: () => number) {
    this.#clocks = new PaceClocks(now);
    this.#requestMs = 1000 / perSecond;
    this.#burstMs = burst * this.#requestMs;
  }

  /** @throws GatewayError `rate_limited`; such a request does not count. */
  admit(address: string): void {
    const waitMs = this.#clocks.aheadMs(address) + this.#requestMs - this.#burstMs;
    if (waitMs > 0) {
      const seconds = Math.ceil(waitMs / 1000);
      throw new GatewayError('rate_limited', message('too_many_requests', { seconds }), { retryAfterSeconds: seconds });
    }
    this.#clocks.add(address, this.#requestMs);
  }
}
