import { CountByKey } from '@mediagate/concurrency';
import type { Channel } from '@mediagate/settings';

/**
 * A channel without a limit is not counted. When a reload gives a channel its first limit, the calls begun without one are therefore not
 * counted, and run on top of it until they end.
 */
const UNCOUNTED = () => {};

/** Keeps the `max_concurrency` of channels, among the calls of this process. */
export class ChannelSlots {
  readonly #inFlight = new CountByKey();

  inUse(channelId: string): number {
    return this.#inFlight.of(channelId);
  }

  /** Answers what gives the slot back, to be called once; undefined: the channel has as many calls in flight as it may. */
  take({ id, maxConcurrency }: Channel): (() => void) | undefined {
    if (maxConcurrency === undefined) return UNCOUNTED;
    if (this.#inFlight.of(id) >= maxConcurrency) return undefined;
    this.#inFlight.add(id);
    return () => this.#inFlight.remove(id);
  }
}
