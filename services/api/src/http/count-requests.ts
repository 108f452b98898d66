import type { Redis } from 'ioredis';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

/** Where a request stands in the window that decides about it. */
export interface Position {
  /** The second for a request beyond its limit, which then does not count in the minute; else the minute. */
  window: 'second' | 'minute';
  /** Its own number in the window, from 1. */
  number: number;
  /** Until the window ends. */
  msBeforeNext: number;
}

/** Counts so many requests of a key; answers with the place of each, in their order. */
export type CountRequests = (keyId: string, requests: number) => Promise<Position[]>;

export interface Windows {
  /** Names the counters. */
  name: string;
  /** Requests within one second, and within a minute; Infinity: no limit. */
  limits: Readonly<Record<Position['window'], number>>;
}

const SECOND_MS = 1000;
const MINUTE_MS = 60_000;

/**
 * Both windows in one call, as they stand at one moment: requests beyond the second's limit are not counted in the minute.
 * A window begins with its first request.
 */
const COUNT = `
local function add(key, requests, lifeMs)
  local count = redis.call('incrby', key, requests)
  local leftMs = redis.call('pttl', key)
  if leftMs < 0 then
    redis.call('pexpire', key, lifeMs)
    leftMs = lifeMs
  end
  return count, leftMs
end
local admitted, secondLimit = tonumber(ARGV[1]), tonumber(ARGV[2])
local second, secondLeftMs, minute, minuteLeftMs = 0, 0, 0, 0
if secondLimit >= 0 then
  second, secondLeftMs = add(KEYS[1], admitted, ${SECOND_MS})
  admitted = math.max(0, math.min(admitted, secondLimit - (second - admitted)))
end
if admitted > 0 then minute, minuteLeftMs = add(KEYS[2], admitted, ${MINUTE_MS}) end
return { second, secondLeftMs, minute, minuteLeftMs }`;

type RedisWithCount = Redis & {
  countRequests(second: string, minute: string, requests: number, secondLimit: number): Promise<Counts>;
};

/** Of both windows after the requests: how many each has had, and how many milliseconds it has left. */
type Counts = [second: number, secondLeftMs: number, minute: number, minuteLeftMs: number];

/** Counts over all processes. Rejects when Redis does not answer in time. */
export function createSharedCounter(redis: Redis, prefix: string, windows: Windows): CountRequests {
  redis.defineCommand('countRequests', { lua: COUNT, numberOfKeys: 2 });
  const { name, limits } = windows;
  const secondLimit = Number.isFinite(limits.second) ? limits.second : -1;
  return async (keyId, requests) => {
    // In braces: what a cluster goes by, so that both counters of a key are on one node.
    const [second, minute] = ['second', 'minute'].map((window) => `${prefix}:rate:${name}:{${keyId}}:${window}`);
    const counters = redis as RedisWithCount;
    return positionsOf(
      await counters.countRequests(second as string, minute as string, requests, secondLimit),
      requests,
      limits,
    );
  };
}

/** Counts for this process alone: what is left while Redis does not answer. */
export function createOwnCounter({ name, limits }: Windows): CountRequests {
  const open = (window: Position['window'], lifeMs: number) =>
    new RateLimiterMemory({ points: limits[window], duration: lifeMs / 1000, keyPrefix: `${name}:${window}` });
  const second = Number.isFinite(limits.second) ? open('second', SECOND_MS) : undefined;
  const minute = open('minute', MINUTE_MS);
  return async (keyId, requests) => {
    const inSecond = second ? await consume(second, keyId, requests) : NOTHING;
    const admitted = admittedOf(inSecond.consumedPoints, requests, limits);
    const inMinute = admitted > 0 ? await consume(minute, keyId, admitted) : NOTHING;
    const counts = [inSecond, inMinute].flatMap(({ consumedPoints, msBeforeNext }) => [consumedPoints, msBeforeNext]);
    return positionsOf(counts as Counts, requests, limits);
  };
}

const NOTHING = { consumedPoints: 0, msBeforeNext: 0 };

/** The limiter rejects with its count once that is beyond the points; here only the count matters. */
async function consume(limiter: RateLimiterMemory, keyId: string, points: number): Promise<RateLimiterRes> {
  try {
    return await limiter.consume(keyId, points);
  } catch (counted) {
    if (counted instanceof RateLimiterRes) return counted;
    throw counted;
  }
}

function positionsOf(
  [second, secondLeftMs, minute, minuteLeftMs]: Counts,
  requests: number,
  limits: Windows['limits'],
): Position[] {
  const admitted = admittedOf(second, requests, limits);
  return Array.from({ length: requests }, (_, index) =>
    index < admitted
      ? { window: 'minute', number: minute - admitted + index + 1, msBeforeNext: minuteLeftMs }
      : { window: 'second', number: second - requests + index + 1, msBeforeNext: secondLeftMs },
  );
}

/** How many are within the second's limit: the first of the group. */
function admittedOf(countAfter: number, requests: number, limits: Windows['limits']): number {
  return Math.max(0, Math.min(requests, limits.second - (countAfter - requests)));
}
