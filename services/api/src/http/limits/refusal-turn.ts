import type { Pace } from '@mediagate/concurrency';
import { GatewayError, message } from '@mediagate/contracts';
import { NO_ACCOUNT } from '../../request-limits';
import { CallerLeftError } from '../../use-cases/caller-connection';
import type { Exchange } from '../exchange';

/** When an account with too many waiting refusals may come again. */
const RETRY_AFTER_SECONDS = 3;

/**
 * How many refusals an account gets a second. Beyond that its requests wait in turn before anything is done for them: a caller who
 * begins anew at each refusal would else take the process's time from everybody. Requests that succeed count for nothing.
 */
export interface Refusals {
  pace: Pace;
  /** The longest time that a request waits. */
  waitMaxMs: number;
}

type TurnedAway = GatewayError | CallerLeftError;

/** A request's turn among the refusals of its account. */
export class Turn {
  readonly #refusals: Refusals;
  readonly #exchange: Pick<Exchange, 'response' | 'scope' | 'outcome'>;
  #accountId: string | undefined;
  #isCounted = false;

  constructor(refusals: Refusals, exchange: Pick<Exchange, 'response' | 'scope' | 'outcome'>) {
    this.#refusals = refusals;
    this.#exchange = exchange;
  }

  /** Undefined, at once or later: the request may go on; else why not, and then nothing is done for it. */
  enter(accountId: string): TurnedAway | Promise<TurnedAway | undefined> | undefined {
    const { pace, waitMaxMs } = this.#refusals;
    const waitMs = pace.waitMs(accountId);
    if (waitMs > waitMaxMs) {
      this.#exchange.outcome.isCutOff = true;
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
    this.#refusals.pace.count(accountId);
    this.#isCounted = true;
    await new Promise<void>((resolve) => {
      scope.after(ms, resolve);
      scope.on(response, 'close', resolve);
    });
    return !response.destroyed;
  }

  end(isRefused: boolean): void {
    if (this.#accountId === undefined || isRefused === this.#isCounted) return;
    this.#refusals.pace.count(this.#accountId, isRefused ? 1 : -1);
  }
}

function tooManyRefused(accountId: string): GatewayError {
  const whose =
    accountId === NO_ACCOUNT ? 'too_many_refused_requests_without_key' : 'too_many_refused_requests_of_account';
  return new GatewayError('rate_limited', message(whose), {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}

/** Counts a request. @throws GatewayError `rate_limited`; such a request does not count. */
export function admitPaced(pace: Pace, owner: string): void {
  const seconds = Math.ceil(pace.waitMs(owner) / 1000);
  if (seconds > 0) {
    throw new GatewayError('rate_limited', message('too_many_requests', { seconds }), { retryAfterSeconds: seconds });
  }
  pace.count(owner);
}
