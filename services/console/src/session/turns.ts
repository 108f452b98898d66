import { setTimeout as delay } from 'node:timers/promises';
import { Pace } from '@mediagate/concurrency';

export interface PaceOptions {
  /** So many attempts at once are let through without waiting. */
  burst: number;
  /** After them, one attempt is let through in this time. */
  everyMs: number;
  /** An attempt that would wait longer is refused. */
  maxWaitMs: number;
  /** Milliseconds of a clock that only goes forward. */
  now?(): number;
}

export interface TurnsOptions extends PaceOptions {
  /** For so long each attempt of a network, refused or not, counts when it waits for its turn beside others. */
  visitMs: number;
  wait?(ms: number): Promise<void>;
}

interface Waiting {
  /** How far its networks are ahead of their paces, the widest first: how often they came before. */
  cameBefore: readonly number[];
  since: number;
  resolve(hasTurn: boolean): void;
}

/**
 * Slows all attempts at one key down, and lets those go first whose networks came least: whoever came often waits behind who never
 * did, and gives way to them where too many wait. rate-limiter-flexible, which limits the API's callers, has no such order.
 */
export class Turns {
  /** Nobody waits longer for a turn. */
  readonly maxWaitMs: number;
  readonly #options: TurnsOptions;
  readonly #now: () => number;
  readonly #pace: Pace;
  readonly #visits: Pace;
  readonly #queues = new Map<string, Waiting[]>();

  constructor(options: TurnsOptions) {
    const now = options.now ?? (() => performance.now());
    this.maxWaitMs = options.maxWaitMs;
    this.#options = options;
    this.#now = now;
    this.#pace = openPace(options, now);
    this.#visits = openPace({ burst: 0, everyMs: options.visitMs }, now);
  }

  /** @param networks the widest first. Resolves with false when others go first for as long as anybody may wait. */
  take(key: string, networks: readonly string[]): Promise<boolean> {
    return new Promise((resolve) => {
      const visitKeys = networks.map((network) => visitKey(key, network));
      const cameBefore = visitKeys.map((each) => this.#visits.aheadMs(each));
      for (const each of visitKeys) this.#visits.count(each);
      const queue = this.#queues.get(key);
      const waiting = { cameBefore, since: this.#now(), resolve };
      if (queue) this.#join(queue, waiting);
      else void this.#serve(key, [waiting]);
    });
  }

  /** Takes back one `take` that had its turn. */
  giveBack(key: string, networks: readonly string[]): void {
    this.#pace.count(key, -1);
    for (const network of networks) this.#visits.count(visitKey(key, network), -1);
  }

  #join(queue: Waiting[], waiting: Waiting): void {
    const { everyMs, maxWaitMs } = this.#options;
    queue.push(waiting);
    queue.sort(bySeldomness);
    if (queue.length > Math.max(1, maxWaitMs / everyMs)) queue.pop()?.resolve(false);
  }

  async #serve(key: string, queue: Waiting[]): Promise<void> {
    const { everyMs, maxWaitMs, wait = (ms) => delay(ms) } = this.#options;
    this.#queues.set(key, queue);
    while (queue.length > 0) {
      const waitMs = this.#pace.waitMs(key);
      this.#pace.count(key);
      if (waitMs > 0) await wait(waitMs);
      queue.shift()?.resolve(true);
      const from = this.#now() - maxWaitMs - everyMs;
      for (const late of queue.filter(({ since }) => since < from)) {
        queue.splice(queue.indexOf(late), 1);
        late.resolve(false);
      }
    }
    this.#queues.delete(key);
  }
}

export function openPace({ burst, everyMs }: Pick<PaceOptions, 'burst' | 'everyMs'>, now?: () => number): Pace {
  return new Pace({ burst, perSecond: 1000 / everyMs }, now);
}

function visitKey(key: string, network: string): string {
  return `${key} ${network}`;
}

function bySeldomness({ cameBefore: one }: Waiting, { cameBefore: other }: Waiting): number {
  const level = one.findIndex((count, index) => count !== other[index]);
  return (one[level] ?? 0) - (other[level] ?? 0);
}
