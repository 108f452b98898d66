import type { RedisClient } from '@mediagate/queue';
import { RateLimiterMemory } from 'rate-limiter-flexible';

/** One of the limits that a request must be within, and whose requests count for it. */
export interface RateLevel {
  /** Names the counters. */
  name: 'submit' | 'query';
  /** A key, those that a key made, or an account. */
  id: string;
  /** Names these to whoever is beyond the limit. */
  whose: 'whose_key' | 'whose_keys_made' | 'whose_users' | 'whose_account';
  /** Requests within one second, and within a minute; Infinity: no limit. */
  limits: Readonly<Record<Window, number>>;
}

type Window = 'second' | 'minute';

/** The limits of a caller, each counted only for what those before let through. */
export interface RateChain {
  /** Differs for each caller, bucket and set of limits. */
  signature: string;
  /** All of them: in a cluster their counters are on one node. */
  accountId: string;
  levels: readonly RateLevel[];
}

/** Where a request stands in the window that decides about it, or that leaves its caller the fewest further ones. */
export interface Position {
  level: RateLevel;
  /** The second for a request beyond its limit, which then does not count in the minute; else the minute. */
  window: Window;
  /** Its own number in the window, from 1. */
  number: number;
  /** Time until the window ends. */
  msBeforeNext: number;
  /** How the windows of all levels stand after the count; only the last place of a count is as far. */
  clear: Clear;
}

/** The state of all windows that were counted. */
export interface Clear {
  /** The fewest further requests that one of them takes; below zero: beyond it. */
  requests: number;
  /** Time until the first of them ends. */
  ms: number;
}

/** Counts so many requests of a caller; answers with the place of each, in their order. */
export type CountRequests = (chain: RateChain, requests: number) => Promise<Position[]>;

const SECOND_MS = 1000;
const MINUTE_MS = 60_000;

/**
 * Both windows of all levels in one call, as they stand at one moment: requests beyond the second's limit are not counted in the
 * minute, and those beyond a level's limits not in the levels after it. A window begins with its first request.
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
local function within(limit, count, requests)
  return math.max(0, math.min(requests, limit - (count - requests)))
end
local admitted, counts = tonumber(ARGV[1]), {}
for level = 1, #KEYS / 2 do
  local secondLimit, minuteLimit = tonumber(ARGV[2 * level]), tonumber(ARGV[2 * level + 1])
  local second, secondLeftMs, minute, minuteLeftMs = 0, 0, 0, 0
  if admitted > 0 and secondLimit >= 0 then
    second, secondLeftMs = add(KEYS[2 * level - 1], admitted, ${SECOND_MS})
    admitted = within(secondLimit, second, admitted)
  end
  if admitted > 0 then
    minute, minuteLeftMs = add(KEYS[2 * level], admitted, ${MINUTE_MS})
    admitted = within(minuteLimit, minute, admitted)
  end
  for _, figure in ipairs({ second, secondLeftMs, minute, minuteLeftMs }) do table.insert(counts, figure) end
end
return counts`;

type RedisWithCount = RedisClient & {
  countRequests(keys: number, ...keysAndFigures: (string | number)[]): Promise<number[]>;
};

/** Requests in both windows after the count, and the milliseconds that each window has left. */
type Counts = readonly [second: number, secondLeftMs: number, minute: number, minuteLeftMs: number];

/** Counts over all processes. Rejects when Redis does not answer in time. */
export function createSharedCounter(redis: RedisClient, prefix: string): CountRequests {
  redis.defineCommand('countRequests', { lua: COUNT });
  return async ({ levels, accountId }, requests) => {
    // A Redis cluster chooses the node by the part in braces.
    const keys = levels.flatMap(({ name, id }) =>
      ['second', 'minute'].map((window) => `${prefix}:rate:${name}:{${accountId}}:${id}:${window}`),
    );
    const limits = levels.flatMap(({ limits: { second, minute } }) => [Number.isFinite(second) ? second : -1, minute]);
    const figures = await (redis as RedisWithCount).countRequests(keys.length, ...keys, requests, ...limits);
    const countsOf = (index: number) => figures.slice(4 * index, 4 * index + 4) as unknown as Counts;
    const places = new Places(requests);
    for (const [index, level] of levels.entries()) places.enter(level, countsOf(index));
    return places.all;
  };
}

/** Counts for this process alone: what is left while Redis does not answer. */
export function createOwnCounter(): CountRequests {
  // They only count: which limit binds is judged here.
  const open = (keyPrefix: Window, lifeMs: number) =>
    new RateLimiterMemory({ points: Number.MAX_SAFE_INTEGER, duration: lifeMs / 1000, keyPrefix });
  const windows = { second: open('second', SECOND_MS), minute: open('minute', MINUTE_MS) };
  return async ({ levels }, requests) => {
    const places = new Places(requests);
    for (const level of levels) {
      const key = `${level.name} ${level.id}`;
      const consume = async (window: Window, points: number) => {
        if (points === 0) return [0, 0] as const;
        const { consumedPoints, msBeforeNext } = await windows[window].consume(key, points);
        return [consumedPoints, msBeforeNext] as const;
      };
      const hasSecond = Number.isFinite(level.limits.second);
      const [second, secondLeftMs] = hasSecond ? await consume('second', places.admitted) : [0, 0];
      const minute = await consume('minute', within(level.limits.second, second, places.admitted));
      places.enter(level, [second, secondLeftMs, ...minute]);
    }
    return places.all;
  };
}

/** Places of the requests of one count; the first ones are let through. */
class Places {
  readonly all: Position[] = [];
  readonly #clear: Clear = { requests: Number.POSITIVE_INFINITY, ms: Number.POSITIVE_INFINITY };
  /** How many all levels so far have let through. */
  admitted: number;

  constructor(requests: number) {
    this.admitted = requests;
  }

  enter(level: RateLevel, [second, secondLeftMs, minute, minuteLeftMs]: Counts): void {
    const { limits } = level;
    const entered = this.admitted;
    const inMinute = within(limits.second, second, entered);
    if (entered > 0 && Number.isFinite(limits.second)) this.#narrow(limits.second - second, secondLeftMs);
    if (inMinute > 0) this.#narrow(limits.minute - minute, minuteLeftMs);
    const clear = this.#clear;
    for (let index = 0; index < entered; index += 1) {
      const place: Position =
        index < inMinute
          ? { level, window: 'minute', number: minute - inMinute + index + 1, msBeforeNext: minuteLeftMs, clear }
          : { level, window: 'second', number: second - entered + index + 1, msBeforeNext: secondLeftMs, clear };
      const before = this.all[index];
      if (before === undefined || leftOf(place) < leftOf(before)) this.all[index] = place;
    }
    this.admitted = within(limits.minute, minute, inMinute);
  }

  #narrow(requests: number, ms: number): void {
    this.#clear.requests = Math.min(this.#clear.requests, requests);
    this.#clear.ms = Math.min(this.#clear.ms, ms);
  }
}

/** Further requests within the limit; below zero: the request is beyond it. */
export function leftOf({ level, window, number }: Position): number {
  return level.limits[window] - number;
}

/** How many of the last `requests` that a window has had are within its limit: the first of the group. */
function within(limit: number, countAfter: number, requests: number): number {
  return Math.max(0, Math.min(requests, limit - (countAfter - requests)));
}
