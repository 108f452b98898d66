import type { Bucket } from '@mediagate/api-contract';
import { GatewayError, message } from '@mediagate/contracts';
import type { Logger } from '@mediagate/host';
import type { RedisClient } from '@mediagate/queue';
import type { Response } from 'express';
import { CONSOLE_USERS_PER_MINUTE } from '../../request-limits';
import type { Caller } from '../../use-cases/caller';
import {
  type CountRequests,
  createOwnCounter,
  createSharedCounter,
  leftOf,
  type Position,
  type RateChain,
  type RateLevel,
} from './rate-windows';
import { RequestCounter } from './request-counter';

export interface RateLimiterDeps {
  redis: RedisClient;
  /** Separates deployments, and test files, that share a Redis. */
  prefix: string;
  logger: Logger;
}

/** A caller whose requests are counted, and its limits. */
export interface RatedCaller
  extends Pick<
    Caller,
    'id' | 'accountId' | 'submitPerMinute' | 'queryPerMinute' | 'accountSubmitPerMinute' | 'accountQueryPerMinute'
  > {
  maker?: Caller['maker'];
  isOfUser?: boolean;
}

/** Answers at once where nothing is to be waited for. */
export type RateLimit = (caller: RatedCaller, bucket: Bucket, response: Response) => void | Promise<void>;

/** Least number of requests that may come in one second, whatever the limit per minute. */
const BURST_FLOOR = 50;
/** A Redis that failed is left alone for this long, and each process counts for itself. */
const STORE_REST_MS = 5_000;

/**
 * Two limits a bucket and key: so many a minute, and a burst within a second. As many for all keys that one made together, for all users
 * of an account in the console together, and for an account that has its own. Counted in Redis over all processes, in one call
 * (`RequestCounter` says when); while Redis does not answer, each process counts alone: a limit that is too generous for a moment, never
 * an error. The headers are those of the limit that leaves the fewest further requests.
 *
 * @throws (the limit it returns) GatewayError `rate_limited`, with the RateLimit headers already set.
 */
export function createRateLimit(deps: RateLimiterDeps): RateLimit {
  const counter = new RequestCounter(countAnywhere(deps));
  const chains = { submit: new WeakMap<RatedCaller, RateChain>(), query: new WeakMap<RatedCaller, RateChain>() };

  /** A caller is remembered for seconds, and its limits do not change meanwhile. */
  function chainOnce(caller: RatedCaller, bucket: Bucket): RateChain {
    const known = chains[bucket].get(caller);
    if (known !== undefined) return known;
    const chain = chainOf(caller, bucket);
    chains[bucket].set(caller, chain);
    return chain;
  }

  const turns = new SharedTurns();
  return (caller, bucket, response) => {
    const position = counter.position(chainOnce(caller, bucket));
    if (position instanceof Promise) return position.then((counted) => admit(response, counted));
    const turn = turns.join();
    return turn === undefined ? admit(response, position) : turn.then(() => admit(response, position));
  };
}

function admit(response: Response, position: Position): void {
  if (leftOf(position) < 0) throw spent(response, position);
  describe(response, position);
}

function chainOf(caller: RatedCaller, bucket: Bucket): RateChain {
  const { id, accountId, maker, isOfUser } = caller;
  const levels = [levelOf(bucket, ['whose_key', id], rateOf(caller, bucket))];
  // Keys count apart from their maker's own requests, so that they cannot keep the maker from revoking them.
  if (maker) levels.push(levelOf(bucket, ['whose_keys_made', `made:${maker.id}`], rateOf(maker, bucket)));
  // An account invites users at will: each has a key, and all of them share the rates of one.
  if (isOfUser) levels.push(levelOf(bucket, ['whose_users', `users:${accountId}`], CONSOLE_USERS_PER_MINUTE[bucket]));
  const ofAccount = bucket === 'submit' ? caller.accountSubmitPerMinute : caller.accountQueryPerMinute;
  if (ofAccount !== null) levels.push(levelOf(bucket, ['whose_account', accountId], ofAccount));
  let signature = `${bucket} ${id}`;
  for (const { limits } of levels) signature += ` ${limits.minute}`;
  return { signature, accountId, levels };
}

function levelOf(name: Bucket, [whose, id]: [RateLevel['whose'], string], minute: number): RateLevel {
  const burst = burstOf(minute);
  // Where the whole of a minute's limit may come at once, a second limit would only name the wrong wait.
  const second = burst < minute ? burst : Number.POSITIVE_INFINITY;
  return { name, id, whose, limits: { second, minute } };
}

function rateOf(key: Pick<Caller, 'submitPerMinute' | 'queryPerMinute'>, bucket: Bucket): number {
  return bucket === 'submit' ? key.submitPerMinute : key.queryPerMinute;
}

/** Never rejects: without Redis each process counts for itself. */
function countAnywhere({ redis, prefix, logger }: RateLimiterDeps): CountRequests {
  const everywhere = createSharedCounter(redis, prefix);
  const here = createOwnCounter();
  let restsUntil = 0;
  return async (chain, requests) => {
    if (performance.now() < restsUntil) return here(chain, requests);
    try {
      return await everywhere(chain, requests);
    } catch (error) {
      restsUntil = performance.now() + STORE_REST_MS;
      logger.warn('rate_limit.store_failed', { error });
      return here(chain, requests);
    }
  };
}

/** A sixth of a minute's limit may come at once, at least `BURST_FLOOR`, never more than the limit itself. */
export function burstOf(perMinute: number): number {
  return Math.min(perMinute, Math.max(BURST_FLOOR, Math.ceil(perMinute / 6)));
}

function describe(response: Response, position: Position): void {
  response.setHeader('RateLimit-Limit', position.level.limits[position.window]);
  response.setHeader('RateLimit-Remaining', Math.max(0, leftOf(position)));
  response.setHeader('RateLimit-Reset', secondsUntil(position));
}

function spent(response: Response, position: Position): GatewayError {
  describe(response, position);
  const retryAfterSeconds = Math.max(1, secondsUntil(position));
  const { level, window } = position;
  const exceeded = message('too_many_requests_within', {
    limit: level.limits[window],
    what: message(level.name === 'submit' ? 'counted_submissions' : 'counted_reads'),
    whose: message(level.whose),
    window: window === 'second' ? 1 : 60,
    seconds: retryAfterSeconds,
  });
  return new GatewayError('rate_limited', exceeded, { retryAfterSeconds });
}

function secondsUntil({ msBeforeNext }: Position): number {
  return Math.ceil(msBeforeNext / 1000);
}

/** Requests within so many milliseconds that make a process busy. */
const BUSY_REQUESTS = 8;
const WINDOW_MS = 10;

/**
 * A busy process goes on with all requests of one turn of the event loop together, once all of them have been read: their answers then
 * go out one after the other, and their statements share what they can. A request that comes alone does not wait.
 */
export class SharedTurns {
  #turn: Promise<void> | undefined;
  #since = 0;
  #requests = 0;

  /** Undefined: go on at once. */
  join(now = performance.now()): Promise<void> | undefined {
    if (this.#turn !== undefined) return this.#turn;
    if (now - this.#since > WINDOW_MS) {
      this.#since = now;
      this.#requests = 0;
    }
    this.#requests += 1;
    if (this.#requests < BUSY_REQUESTS) return undefined;
    this.#turn = new Promise((resolve) => {
      setImmediate(() => {
        this.#turn = undefined;
        resolve();
      });
    });
    return this.#turn;
  }
}
