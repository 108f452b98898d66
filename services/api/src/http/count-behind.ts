import { LRUCache } from 'lru-cache';
import type { CountRequests, Position, RateChain } from './count-requests';

export interface CountBehindOptions {
  /** Counts one request before it is let through. */
  count(chain: RateChain): Promise<Position>;
  /** Counts so many that were let through. Never rejects. */
  countMany: CountRequests;
  /** Default: the process's own. */
  now?(): number;
}

/**
 * A process lets through, uncounted, this share of the requests that the last count left. If several processes use up a limit within
 * the same milliseconds, each of them may pass it by as much.
 */
const UNCOUNTED_SHARE = 1 / 16;
/** How long a count lets requests through. */
const KNOWN_MS = 250;
/** How long a request that was let through stays uncounted; the time of the count itself comes on top. */
const GATHER_MS = 10;
const REMEMBERED_CALLERS = 10_000;

/** A caller with the result of its last count. */
interface Known {
  chain: RateChain;
  /** The place in the last count; undefined before the first. */
  place?: Position;
  countedAt: number;
  /** The last count lets requests through until this time, and at most `spare` of them. */
  until: number;
  spare: number;
  /** Requests that were let through: no count has been sent for `uncounted`, one is on its way for `beingCounted`. */
  uncounted: number;
  beingCounted: number;
  /** Requests that are not let through before they are counted. */
  waiting: number;
}

/**
 * Lets a request through by what the last count of its caller left, and counts it afterwards with others, so that nobody waits for Redis
 * while the limits are far away. Close to a limit, after a pause, and in a new window requests are counted first. Every request is counted.
 * Counts are sent in the order of their requests, so a process alone never passes a limit.
 */
export function countBehind(options: CountBehindOptions): (chain: RateChain) => Position | Promise<Position> {
  const counts = new CountsBehind(options);
  return (chain) => counts.count(chain);
}

class CountsBehind {
  readonly #count: CountBehindOptions['count'];
  readonly #countMany: CountRequests;
  readonly #now: () => number;
  readonly #callers = new LRUCache<string, Known>({ max: REMEMBERED_CALLERS });
  #uncounted = new Set<Known>();

  constructor({ count, countMany, now = () => performance.now() }: CountBehindOptions) {
    this.#count = count;
    this.#countMany = countMany;
    this.#now = now;
  }

  count(chain: RateChain): Position | Promise<Position> {
    const known = this.#knownOf(chain);
    const at = this.#now();
    const { place, until, spare, countedAt } = known;
    const since = known.uncounted + known.beingCounted;
    if (place === undefined || at >= until || since + known.waiting >= spare) return this.#countFirst(known);
    known.uncounted += 1;
    this.#gather(known);
    return { ...place, number: place.number + since + 1, msBeforeNext: place.msBeforeNext - (at - countedAt) };
  }

  #knownOf(chain: RateChain): Known {
    const known = this.#callers.get(chain.signature);
    if (known !== undefined) return known;
    const unknown = { chain, countedAt: 0, until: 0, spare: 0, uncounted: 0, beingCounted: 0, waiting: 0 };
    this.#callers.set(chain.signature, unknown);
    return unknown;
  }

  async #countFirst(known: Known): Promise<Position> {
    // Requests that were let through earlier are counted first.
    if (known.uncounted > 0) void this.#countLetThrough(known);
    known.waiting += 1;
    try {
      const place = await this.#count(known.chain);
      this.#learn(known, place);
      return place;
    } finally {
      known.waiting -= 1;
    }
  }

  #learn(known: Known, place: Position): void {
    known.place = place;
    known.countedAt = this.#now();
    known.until = known.countedAt + Math.min(KNOWN_MS, place.clear.ms);
    known.spare = Math.floor(place.clear.requests * UNCOUNTED_SHARE);
  }

  #gather(known: Known): void {
    if (known.beingCounted > 0 || this.#uncounted.has(known)) return;
    if (this.#uncounted.size === 0) setTimeout(() => this.#countAll(), GATHER_MS).unref();
    this.#uncounted.add(known);
  }

  #countAll(): void {
    const due = this.#uncounted;
    this.#uncounted = new Set();
    for (const known of due) if (known.uncounted > 0) void this.#countLetThrough(known);
  }

  async #countLetThrough(known: Known): Promise<void> {
    const requests = known.uncounted;
    known.uncounted = 0;
    known.beingCounted += requests;
    const place = (await this.#countMany(known.chain, requests)).at(-1);
    known.beingCounted -= requests;
    if (place) this.#learn(known, place);
    if (known.uncounted > 0) this.#gather(known);
  }
}
