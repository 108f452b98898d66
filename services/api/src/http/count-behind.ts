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
 * Of what the last count left of a limit, a process lets this share through uncounted. By so much each process may pass the limit where
 * all the rest of it is used within the same milliseconds.
 */
const UNCOUNTED_SHARE = 1 / 16;
/** How long requests are let through by a count. */
const KNOWN_MS = 250;
/** How long a request that was let through stays uncounted; and the time of a count on top. */
const GATHER_MS = 10;
const REMEMBERED_CALLERS = 10_000;

/** What the last count said of a caller. */
interface Known {
  chain: RateChain;
  place: Position;
  countedAt: number;
  /** Requests are let through by it for so long, and so many. */
  until: number;
  spare: number;
  /** Let through since, in the order of their numbers. */
  uncounted: number;
  isBeingCounted: boolean;
}

/**
 * Lets a request through by what the last count of its caller left, and counts it afterwards with others, so that nobody waits for Redis
 * while the limits are far away. Close to a limit, after a pause, and in a new window requests are counted first. Every request is counted.
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
    const known = this.#callers.get(chain.signature);
    const at = this.#now();
    if (known === undefined || at >= known.until || known.uncounted >= known.spare) return this.#countFirst(chain);
    known.uncounted += 1;
    this.#gather(known);
    const { place, countedAt } = known;
    return { ...place, number: place.number + known.uncounted, msBeforeNext: place.msBeforeNext - (at - countedAt) };
  }

  async #countFirst(chain: RateChain): Promise<Position> {
    const place = await this.#count(chain);
    this.#learn(chain, place);
    return place;
  }

  #learn(chain: RateChain, place: Position): void {
    const known = this.#callers.get(chain.signature) ?? { chain, uncounted: 0, isBeingCounted: false };
    const countedAt = this.#now();
    const until = countedAt + Math.min(KNOWN_MS, place.clear.ms);
    const spare = Math.floor(place.clear.requests * UNCOUNTED_SHARE);
    this.#callers.set(chain.signature, Object.assign(known, { place, countedAt, until, spare }));
  }

  #gather(known: Known): void {
    if (known.isBeingCounted || this.#uncounted.has(known)) return;
    if (this.#uncounted.size === 0) setTimeout(() => this.#countAll(), GATHER_MS).unref();
    this.#uncounted.add(known);
  }

  #countAll(): void {
    const due = this.#uncounted;
    this.#uncounted = new Set();
    for (const known of due) void this.#countOf(known);
  }

  async #countOf(known: Known): Promise<void> {
    const { chain, uncounted: requests } = known;
    known.isBeingCounted = true;
    const place = (await this.#countMany(chain, requests)).at(-1);
    known.isBeingCounted = false;
    known.uncounted -= requests;
    if (place) this.#learn(chain, place);
    if (known.uncounted > 0) this.#gather(known);
  }
}
