import type { Refused } from '@mediagate/contracts';
import type { Channel } from '@mediagate/settings';
import type { TextAnswer } from '@mediagate/upstreams';

type Reply = TextAnswer | Refused | undefined;

/** Keeps the `max_concurrency` of channels, of the calls of this process. */
export interface ChannelPlaces {
  /** A place for one more call, which is to be made at once; undefined: as many as may are in hand. */
  take(channel: Channel): Place | undefined;
}

export interface Place {
  /** The call's own reply. The place is held until the body of an answer has ended, however it did. */
  holdFor<T extends Reply>(call: Promise<T>): Promise<T>;
}

/**
 * Where nothing is counted nothing is made for a call, and its promise is its own. When a reload brings a channel its
 * first limit, the calls that were begun without one are therefore not counted, and come on top of it until they end.
 */
const UNCOUNTED: Place = { holdFor: (call) => call };

export function createChannelPlaces(): ChannelPlaces {
  const inHand = new Map<string, number>();
  const count = (id: string) => inHand.get(id) ?? 0;

  function giveBack(id: string): void {
    const rest = count(id) - 1;
    if (rest > 0) inHand.set(id, rest);
    else inHand.delete(id);
  }

  return {
    take({ id, maxConcurrency }) {
      if (maxConcurrency === undefined) return UNCOUNTED;
      if (count(id) >= maxConcurrency) return undefined;
      inHand.set(id, count(id) + 1);
      return { holdFor: (call) => holdFor(call, () => giveBack(id)) };
    },
  };
}

async function holdFor<T extends Reply>(call: Promise<T>, giveBack: () => void): Promise<T> {
  let answer: TextAnswer | undefined;
  try {
    const reply = await call;
    if (reply?.kind === 'answer') answer = reply;
    return reply;
  } finally {
    if (answer === undefined || answer.body.closed) giveBack();
    else answer.body.once('close', giveBack);
  }
}
