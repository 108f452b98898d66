import { GatewayError, message } from '@mediagate/contracts';
import { CallerLeftError } from '../use-cases/caller-connection';
import type { Exchange } from './exchange';
import { NOBODY, PaceClocks } from './pace-clocks';

/** When an account with too many waiting refusals may come again. */
const RETRY_AFTER_SECONDS = 3;

export interface RefusalLimits {
  /** Refusals that an account gets a second without waiting. */
  perSecond: number;
  /** Refusals that may come at once. */
  burst: number;
  /** The longest time that a request waits. */
  waitMaxMs: number;
}

/**
 * How many refusals an account gets a second. Beyond that its requests wait in turn before anything is done for them: a caller who
 * begins anew at each refusal would else take the process's time from everybody. Requests that succeed count for nothing.
 */
export class RefusalShare {
  readonly #clocks: PaceClocks;
  readonly #refusalMs: number;
  readonly #burstMs: number;
  readonly #waitMaxMs: number;

  constructor({ perSecond, burst, waitMaxMs }: RefusalLimits, now?: () => number) {
    this.#clocks = new PaceClocks(now);
    this.#refusalMs = 1000 / perSecond;
    this.#burstMs = burst * this.#refusalMs;
    this.#waitMaxMs = waitMaxMs;
  }

  /** How long the account's next request has to wait; undefined: so many wait that it may not. */
  waitMs(accountId: string): number | undefined {
    const waitMs = Math.max(0, this.#clocks.aheadMs(accountId) - this.#burstMs);
    return waitMs > this.#waitMaxMs ? undefined : waitMs;
  }

  count(accountId: string): void {
    this.#clocks.add(accountId, this.#refusalMs);
  }

  takeBack(accountId: string): void {
    this.#clocks.add(accountId, -this.#refusalMs);
  }
}

type TurnedAway = GatewayError | CallerLeftError;

/** One request's place in the share of its account. */
export class Turn {
  readonly #share: RefusalShare;
  readonly #exchange: Pick<Exchange, 'response' | 'scope'>;
  #accountId: string | undefined;
  #isCounted = false;

  constructor(share: RefusalShare, exchange: Pick<Exchange, 'response' | 'scope'>) {
    this.#share = share;
    this.#exchange = exchange;
  }

  /** Undefined, at once or later: the request may go on; else why not, and then nothing is done for it. */
  enter(accountId: string): TurnedAway | Promise<TurnedAway | undefined> | undefined {
    const waitMs = this.#share.waitMs(accountId);
    if (waitMs === undefined) {
      this.#exchange.response.setHeader('Connection', 'close');
      return tooManyRefused(accountId);
    }
    this.#accountId = accountId;
    return waitMs === 0 ? undefined : this.#enterLater(accountId, waitMs);
  }

  async #enterLater(accountId: string, waitMs: number): Promise<TurnedAway | undefined> {
    if (await this.#wait(accountId, waitMs)) return undefined;
    // The request stays counted: else a caller who leaves and begins anew would never be ahead.
    this.#accountId = undefined;
    return new CallerLeftError();
  }

  /** Counts as a refusal while it waits, so that those who wait come one after the other. False: its caller has left. */
  async #wait(accountId: string, ms: number): Promise<boolean> {
    const { response, scope } = this.#exchange;
    this.#share.count(accountId);
    this.#isCounted = true;
    await new Promise<void>((resolve) => {
      scope.after(ms, resolve);
      scope.on(response, 'close', resolve);
    });
    return !response.destroyed;
  }

  end(isRefused: boolean): void {
    if (this.#accountId === undefined || isRefused === this.#isCounted) return;
    if (isRefused) this.#share.count(this.#accountId);
    else this.#share.takeBack(this.#accountId);
  }
}

function tooManyRefused(accountId: string): GatewayError {
  const whose = accountId === NOBODY ? 'too_many_refused_requests_without_key' : 'too_many_refused_requests_of_account';
  return new GatewayError('rate_limited', message(whose), {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}
