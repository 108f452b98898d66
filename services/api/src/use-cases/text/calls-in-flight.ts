import type { Channel } from '@mediagate/settings';

/**
 * A channel without a limit is not counted. When a reload gives a channel its first limit, the calls begun without one are therefore not
 * counted, and run on top of it until they end.
 */
const UNCOUNTED = () => {};

/** Keeps the `max_concurrency` of channels, among the calls of this process. */
export class CallsInFlight {
  /** Only channels with calls have an entry. */
  readonly #counts = new Map<string, number>();

  of(channelId: string): number {
    return this.#counts.get(channelId) ?? 0;
  }

  /** Answers what ends the call's place, to be called once; undefined: the channel has as many calls in flight as it may. */
  begin({ id, maxConcurrency }: Channel): (() => void) | undefined {
    if (maxConcurrency === undefined) return UNCOUNTED;
    if (this.of(id) >= maxConcurrency) return undefined;
    this.#counts.set(id, this.of(id) + 1);
    return () => this.#end(id);
  }

  #end(channelId: string): void {
    const left = this.of(channelId) - 1;
    if (left > 0) this.#counts.set(channelId, left);
    else this.#counts.delete(channelId);
  }
}
