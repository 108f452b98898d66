import { GatewayError } from '@mediagate/contracts';
import type { Logger } from '@mediagate/host';
import type { Response } from 'express';
import type { Redis } from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import type { Caller } from './authenticate';
import { countTogether, type Place } from './count-together';

/** Submissions and uploads count apart from reads, so that polling never blocks work. */
export type Bucket = 'submit' | 'query';

export interface RateLimiterDeps {
  redis: Redis;
  /** Separates deployments, and test files, that share a Redis. */
  prefix: string;
  logger: Logger;
}

export type RateLimit = (caller: Caller, bucket: Bucket, response: Response) => Promise<void>;

/** Least number of requests that may come in one second, whatever the limit per minute. */
const BURST_FLOOR = 50;
/** A Redis that failed is left alone for this long, and each process counts for itself. */
const STORE_REST_MS = 5_000;

/**
 * Two limits a bucket and key: so many a minute, and a burst within a second. Counted in Redis over all processes; while
 * Redis does not answer, each process counts alone: a limit that is too generous for a moment, never an error.
 *
 * @throws (the limit it returns) GatewayError `rate_limited`, with the RateLimit headers already set.
 */
export function createRateLimit({ redis, prefix, logger }: RateLimiterDeps): RateLimit {
  let restUntil = 0;

  async function consume(counters: Counters, keyId: string, points: number): Promise<RateLimiterRes> {
    if (Date.now() >= restUntil) {
      try {
        return await counters.everywhere.consume(keyId, points);
      } catch (error) {
        if (error instanceof RateLimiterRes) return error;
        restUntil = Date.now() + STORE_REST_MS;
        logger.warn('rate_limit.store_failed', { error });
      }
    }
    return counters.here.consume(keyId, points).catch((spent: RateLimiterRes) => spent);
  }

  const windows = createWindows({ redis, prefix, consume });

  return async (caller, bucket, response) => {
    const perMinute = bucket === 'submit' ? caller.submitPerMinute : caller.queryPerMinute;
    const { second, minute } = windows(bucket, perMinute);
    if (second) {
      const burst = await second.count(caller.id);
      if (burst.number > second.limit) throw spent(response, second.limit, burst);
    }
    const steady = await minute.count(caller.id);
    if (steady.number > minute.limit) throw spent(response, minute.limit, steady);
    describe(response, minute.limit, steady);
  };
}

interface Counters {
  everywhere: RateLimiterRedis;
  here: RateLimiterMemory;
}

interface Window {
  limit: number;
  count(keyId: string): Promise<Place>;
}

interface Windows {
  /** Undefined where the whole of a minute's limit may come at once: a second limit would only name the wrong wait. */
  second: Window | undefined;
  minute: Window;
}

/** Limiters by bucket and limit. Keys share them: there are as many as an operator has set different limits. */
function createWindows({
  redis,
  prefix,
  consume,
}: Pick<RateLimiterDeps, 'redis' | 'prefix'> & {
  consume(counters: Counters, keyId: string, points: number): Promise<RateLimiterRes>;
}): (bucket: Bucket, perMinute: number) => Windows {
  const known = new Map<string, Windows>();
  return (bucket, perMinute) => {
    const name = `${bucket}:${perMinute}`;
    const existing = known.get(name);
    if (existing) return existing;
    const open = (limit: number, duration: number): Window => {
      const options = { points: limit, duration, keyPrefix: `${prefix}:rate:${bucket}:${duration}` };
      const counters = {
        everywhere: new RateLimiterRedis({ ...options, storeClient: redis, rejectIfRedisNotReady: true }),
        here: new RateLimiterMemory(options),
      };
      return { limit, count: countTogether((keyId, points) => consume(counters, keyId, points)) };
    };
    const burst = burstOf(perMinute);
    const windows = { second: burst < perMinute ? open(burst, 1) : undefined, minute: open(perMinute, 60) };
    known.set(name, windows);
    return windows;
  };
}

/** A sixth of a minute's limit may come at once, at least `BURST_FLOOR`, never more than the limit itself. */
export function burstOf(perMinute: number): number {
  return Math.min(perMinute, Math.max(BURST_FLOOR, Math.ceil(perMinute / 6)));
}

function describe(response: Response, limit: number, window: Place): void {
  response.setHeader('RateLimit-Limit', limit);
  response.setHeader('RateLimit-Remaining', Math.max(0, limit - window.number));
  response.setHeader('RateLimit-Reset', secondsUntil(window));
}

function spent(response: Response, limit: number, window: Place): GatewayError {
  describe(response, limit, window);
  const retryAfterSeconds = Math.max(1, secondsUntil(window));
  return new GatewayError('rate_limited', `Too many requests. Try again in ${retryAfterSeconds} s.`, {
    retryAfterSeconds,
  });
}

function secondsUntil(window: Place): number {
  return Math.ceil(window.msBeforeNext / 1000);
}
