import { GatewayError, message } from '@mediagate/contracts';
import type { Logger } from '@mediagate/host';
import type { Response } from 'express';
import type { Redis } from 'ioredis';
import type { Caller } from '../use-cases/caller';
import { createOwnCounter, createSharedCounter, type Position, type Windows } from './count-requests';
import { countTogether } from './count-together';
import { rememberSpent } from './remember-spent';

/** Submissions and uploads count apart from reads, so that polling never blocks work. */
export type Bucket = 'submit' | 'query';

export interface RateLimiterDeps {
  redis: Redis;
  /** Separates deployments, and test files, that share a Redis. */
  prefix: string;
  logger: Logger;
}

/** Whose requests are counted, and how many it may send. */
export interface RatedCaller
  extends Pick<
    Caller,
    'id' | 'accountId' | 'submitPerMinute' | 'queryPerMinute' | 'accountSubmitPerMinute' | 'accountQueryPerMinute'
  > {
  maker?: Caller['maker'];
}

export type RateLimit = (caller: RatedCaller, bucket: Bucket, response: Response) => Promise<void>;

/** Least number of requests that may come in one second, whatever the limit per minute. */
const BURST_FLOOR = 50;
/** A Redis that failed is left alone for this long, and each process counts for itself. */
const STORE_REST_MS = 5_000;

/**
 * Two limits a bucket and key: so many a minute, and a burst within a second. As many for all keys that one made together, and for an
 * account that has its own. Counted in Redis over all processes; while Redis does not answer, each process counts alone: a limit
 * that is too generous for a moment, never an error.
 *
 * @throws (the limit it returns) GatewayError `rate_limited`, with the RateLimit headers already set.
 */
export function createRateLimit(deps: RateLimiterDeps): RateLimit {
  const countersOf = createCounters(deps);
  return async (caller, bucket, response) => {
    const { limits, count } = countersOf(bucket, rateOf(caller, bucket));
    const place = await count(caller.id);
    const limit = limits[place.window];
    if (place.number > limit) throw spent(response, limit, place);
    describe(response, limit, place);
    const { maker, accountId } = caller;
    // Apart from the maker's own requests: what it made cannot keep it from revoking them.
    if (maker) await countShared(`made:${maker.id}`, countersOf(bucket, rateOf(maker, bucket)), response);
    const ofAccount = bucket === 'submit' ? caller.accountSubmitPerMinute : caller.accountQueryPerMinute;
    if (ofAccount !== null) await countShared(accountId, countersOf(bucket, ofAccount), response);
  };
}

function rateOf(key: Pick<Caller, 'submitPerMinute' | 'queryPerMinute'>, bucket: Bucket): number {
  return bucket === 'submit' ? key.submitPerMinute : key.queryPerMinute;
}

/** Of a limit that several keys share the answer's headers are once it is spent. */
async function countShared(shared: string, { limits, count }: Counters, response: Response): Promise<void> {
  const place = await count(shared);
  const limit = limits[place.window];
  if (place.number > limit) throw spent(response, limit, place);
}

interface Counters extends Windows {
  count(keyId: string): Promise<Position>;
}

/** Keys share counters: there are as many as an operator has set different limits. */
function createCounters({ redis, prefix, logger }: RateLimiterDeps): (bucket: Bucket, perMinute: number) => Counters {
  const known = new Map<string, Counters>();
  let restUntil = 0;

  function open(windows: Windows): Counters {
    const everywhere = createSharedCounter(redis, prefix, windows);
    const here = createOwnCounter(windows);
    const count = countTogether(async (keyId, requests) => {
      if (Date.now() < restUntil) return here(keyId, requests);
      try {
        return await everywhere(keyId, requests);
      } catch (error) {
        restUntil = Date.now() + STORE_REST_MS;
        logger.warn('rate_limit.store_failed', { error });
        return here(keyId, requests);
      }
    });
    return { ...windows, count: rememberSpent(count, windows.limits) };
  }

  return (bucket, minute) => {
    const kind = `${bucket} ${minute}`;
    const burst = burstOf(minute);
    // Where the whole of a minute's limit may come at once, a second limit would only name the wrong wait.
    const second = burst < minute ? burst : Number.POSITIVE_INFINITY;
    const counters = known.get(kind) ?? open({ name: bucket, limits: { second, minute } });
    known.set(kind, counters);
    return counters;
  };
}

/** A sixth of a minute's limit may come at once, at least `BURST_FLOOR`, never more than the limit itself. */
export function burstOf(perMinute: number): number {
  return Math.min(perMinute, Math.max(BURST_FLOOR, Math.ceil(perMinute / 6)));
}

function describe(response: Response, limit: number, window: Position): void {
  response.setHeader('RateLimit-Limit', limit);
  response.setHeader('RateLimit-Remaining', Math.max(0, limit - window.number));
  response.setHeader('RateLimit-Reset', secondsUntil(window));
}

function spent(response: Response, limit: number, window: Position): GatewayError {
  describe(response, limit, window);
  const retryAfterSeconds = Math.max(1, secondsUntil(window));
  return new GatewayError('rate_limited', message('too_many_requests', { seconds: retryAfterSeconds }), {
    retryAfterSeconds,
  });
}

function secondsUntil(window: Position): number {
  return Math.ceil(window.msBeforeNext / 1000);
}
