import { CountByKey } from '@mediagate/concurrency';
import type { Refused } from '@mediagate/contracts';
import type { Channel } from '@mediagate/settings';
import type { TextAnswer } from '@mediagate/upstreams';

type Reply = TextAnswer | Refused | undefined;

/** A slot for one call, which is to be made at once. */
export interface ChannelSlot {
  /** The call's own reply. The slot is taken until the body of an answer has ended, however it ends. */
  keepFor<T extends Reply>(call: Promise<T>): Promise<T>;
}

/**
 * A channel without a limit is not counted, and its call's promise is passed on. When a reload gives a channel its first
 * limit, the calls begun without one are therefore not counted, and run on top of it until they end.
 */
const UNCOUNTED: ChannelSlot = { keepFor: (call) => call };

/** Keeps the `max_concurrency` of channels, among the calls of this process. */
export class ChannelSlots {
  readonly #inFlight = new CountByKey();

  inUse(channelId: string): number {
    return this.#inFlight.of(channelId);
  }

  /** Undefined: the channel has as many calls in flight as it may. */
  take({ id, maxConcurrency }: Channel): ChannelSlot | undefined {
    if (maxConcurrency === undefined) return UNCOUNTED;
    if (this.#inFlight.of(id) >= maxConcurrency) return undefined;
    this.#inFlight.add(id);
    return { keepFor: (call) => keepFor(call, () => this.#inFlight.remove(id)) };
  }
}

async function keepFor<T extends Reply>(call: Promise<T>, release: () => void): Promise<T> {
  let answer: TextAnswer | undefined;
  try {
    const reply = await call;
    if (reply?.kind === 'answer') answer = reply;
    return reply;
  } finally {
    if (answer === undefined || answer.body.closed) release();
    else answer.body.once('close', release);
  }
}
