import { LRUCache } from 'lru-cache';
import { type CountRequests, leftOf, type Position, type RateChain, type RateLevel } from './rate-windows';

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
const REMEMBERED_LIMITS = 10_000;
/** More requests of one caller than a process ever reads at once. */
const MAX_WAITING = 100_000;

/** A caller with the result of its last count. */
interface Known {
  chain: RateChain;
  /** The position of the last request that was counted; undefined before the first count. */
  last?: Position;
  countedAt: number;
  /** The last count lets requests through until this time, and at most `spare` of them. */
  until: number;
  spare: number;
  /** Requests that came after the last one that was counted. */
  since: number;
  /** Requests of `since` that were let through and are in no count yet. */
  letThrough: number;
  /** Requests of `since` that wait for the next count. */
  unanswered: Unanswered[];
  isCounting: boolean;
  isGathering: boolean;
}

interface Unanswered {
  resolve(position: Position): void;
  reject(error: unknown): void;
}

/** A limit that was used up. */
interface Spent {
  position: Position;
  /** When the window ends. */
  endsAt: number;
}

/**
 * Tells each request its position within the limits of its caller, at the cost of few counts.
 *
 * - Far from a limit, a request is let through by what the last count left, and counted within milliseconds with others: nobody waits for Redis.
 * - Close to a limit, after a pause, and in a new window, requests wait for their count. All requests of a caller that arrive while a count of that
 *   caller is in flight share the next one.
 * - A limit that is used up refuses from memory until its window ends. What it refuses is counted for no limit.
 *
 * A caller has one count in flight at most, with its requests in their order, so a process alone never passes a limit.
 */
export class RequestCounter {
  readonly #count: CountRequests;
  readonly #now: () => number;
  readonly #callers = new LRUCache<string, Known>({ max: REMEMBERED_CALLERS });
  readonly #spent = new LRUCache<string, Spent>({ max: REMEMBERED_LIMITS });

  /** @param now Default: the process's own. */
  constructor(count: CountRequests, now = () => performance.now()) {
    this.#count = count;
    this.#now = now;
  }

  position(chain: RateChain): Position | Promise<Position> {
    const caller = this.#callerOf(chain);
    const { last, until, spare, countedAt } = caller;
    const at = this.#now();
    if (last === undefined || at >= until || caller.since >= spare)
      return this.#recall(chain, at) ?? this.#wait(caller);
    caller.since += 1;
    caller.letThrough += 1;
    this.#gather(caller);
    return { ...last, number: last.number + caller.since, msBeforeNext: last.msBeforeNext - (at - countedAt) };
  }

  #callerOf(chain: RateChain): Known {
    const known = this.#callers.get(chain.signature);
    if (known !== undefined) return known;
    const nothing = { countedAt: 0, until: 0, spare: 0, since: 0, letThrough: 0, unanswered: [] };
    const caller = { chain, ...nothing, isCounting: false, isGathering: false };
    this.#callers.set(chain.signature, caller);
    return caller;
  }

  /** The limit of the caller that is used up, if there is one. */
  #recall({ levels }: RateChain, at: number): Position | undefined {
    for (const level of levels) {
      const spent = this.#spent.get(nameOf(level));
      if (spent !== undefined && spent.endsAt > at) return { ...spent.position, msBeforeNext: spent.endsAt - at };
    }
    return undefined;
  }

  #wait(caller: Known): Promise<Position> {
    if (caller.unanswered.length >= MAX_WAITING) throw new Error(`${MAX_WAITING} requests wait to be counted`);
    caller.since += 1;
    return new Promise((resolve, reject) => {
      caller.unanswered.push({ resolve, reject });
      if (caller.isCounting) return;
      caller.isCounting = true;
      // Everything that arrives in this turn of the event loop joins the count.
      setImmediate(() => void this.#countAll(caller));
    });
  }

  #gather(caller: Known): void {
    if (caller.isGathering || caller.isCounting) return;
    caller.isGathering = true;
    const countGathered = () => {
      caller.isGathering = false;
      if (caller.isCounting || caller.letThrough === 0) return;
      caller.isCounting = true;
      void this.#countAll(caller);
    };
    setTimeout(countGathered, GATHER_MS).unref();
  }

  async #countAll(caller: Known): Promise<void> {
    do await this.#countOnce(caller);
    while (caller.unanswered.length > 0);
    caller.isCounting = false;
    if (caller.letThrough > 0) this.#gather(caller);
  }

  async #countOnce(caller: Known): Promise<void> {
    const { unanswered, letThrough } = caller;
    caller.unanswered = [];
    caller.letThrough = 0;
    const requests = letThrough + unanswered.length;
    try {
      const positions = await this.#count(caller.chain, requests);
      this.#learn(caller, positions.at(-1) as Position);
      for (const [index, { resolve }] of unanswered.entries()) resolve(positions[letThrough + index] as Position);
    } catch (error) {
      for (const { reject } of unanswered) reject(error);
    } finally {
      caller.since -= requests;
    }
  }

  #learn(caller: Known, last: Position): void {
    const countedAt = this.#now();
    const { requests, ms } = last.clear;
    const spare = Math.floor(requests * UNCOUNTED_SHARE);
    Object.assign(caller, { last, countedAt, spare, until: countedAt + Math.min(KNOWN_MS, ms) });
    if (leftOf(last) < 0)
      this.#spent.set(nameOf(last.level), { position: last, endsAt: countedAt + last.msBeforeNext });
  }
}

/** A limit that was changed is another one. */
function nameOf({ name, id, limits: { minute } }: RateLevel): string {
  return `${name} ${id} ${minute}`;
}
