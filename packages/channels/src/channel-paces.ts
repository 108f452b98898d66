import { timeOrderedId } from '@mediagate/contracts';
import type { Database } from '@mediagate/database';
import type { Channel } from '@mediagate/settings';

/** The vendor's pace is counted over so long. */
const COUNTED_MS = 5_000;

export interface ThrottledStart {
  channel: Pick<Channel, 'id' | 'isTest'>;
  attemptId: string;
  /** The rest that the vendor asks for. */
  retryAfterMs?: number | undefined;
}

/**
 * Channels whose vendors have throttled: they rest, and then starts take turns, ever quicker. The database counts for all processes;
 * this one asks it only about channels that it knows to be paced, by its own throttled start or the next look at the overrides.
 *
 * A channel of tests throttles when a caller wants it to, and stays as it is for others.
 */
export class ChannelPaces {
  readonly #database: Pick<Database, 'throttleChannel' | 'takeChannelStart'>;
  /** When the next start may be made on each paced channel, by channel id and this process's clock. */
  readonly #freeAt = new Map<string, number>();

  constructor(database: Pick<Database, 'throttleChannel' | 'takeChannelStart'>) {
    this.#database = database;
  }

  /** Milliseconds that the channel rests from now; 0: it does not. The same start may be reported again. */
  async throttled({ channel, attemptId, retryAfterMs: restMs = 0 }: ThrottledStart): Promise<number> {
    if (channel.isTest) return 0;
    const countedFromId = `att_${timeOrderedId(Date.now() - COUNTED_MS)}`;
    const [row] = await this.#database.throttleChannel({ channelId: channel.id, attemptId, countedFromId, restMs });
    return this.#remember(channel.id, row?.waitMs ?? 0);
  }

  /** Takes the channel's next start, or says in how many milliseconds it may be asked for; 0: taken. */
  async takeStart(channelId: string): Promise<number> {
    const waitMs = this.waitMs(channelId);
    if (waitMs > 0 || !this.#freeAt.has(channelId)) return waitMs;
    const [row] = await this.#database.takeChannelStart(channelId);
    if (row) return this.#remember(channelId, row.waitMs);
    this.#freeAt.delete(channelId);
    return 0;
  }

  /** As far as this process knows: starts there take turns. */
  isPaced(channelId: string): boolean {
    return this.#freeAt.has(channelId);
  }

  /** As far as this process knows. */
  waitMs(channelId: string): number {
    return Math.max((this.#freeAt.get(channelId) ?? 0) - performance.now(), 0);
  }

  /** Channels that are paced by the database's word. */
  learn(channelIds: readonly string[]): void {
    for (const id of channelIds) if (!this.#freeAt.has(id)) this.#freeAt.set(id, 0);
  }

  #remember(channelId: string, waitMs: number): number {
    this.#freeAt.set(channelId, performance.now() + waitMs);
    return waitMs;
  }
}
