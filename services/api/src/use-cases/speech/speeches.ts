import { GatewayError, message, type TaskId } from '@mediagate/contracts';
import type { StreamReceiver } from '@mediagate/streams';
import { SPEECH_LIMITS, type SpeechLimits } from '../../request-limits';
import { deliverSpeech, type SpeechCaller, type SpeechDelivery, type SpeechDeliveryDeps } from './speech-delivery';

/** The speeches that callers of this process wait for. */
export interface Speeches {
  /**
   * A place for one more, to be had before money is reserved for it.
   *
   * @throws GatewayError `unavailable` when Redis is away, as many as may wait, or the process is about to end.
   */
  takePlace(): SpeechPlace;
  /** Takes no more and waits for those in hand; what is left when the time is up is cut off and refunded. */
  drain(): Promise<void>;
}

export interface SpeechPlace {
  /** Once, as soon as the task is in the books. Resolves and throws as `SpeechDelivery.done`. */
  deliver(taskId: TaskId, caller: SpeechCaller): Promise<void>;
  /** Gives the place back. */
  leave(): void;
}

export interface SpeechesDeps extends Omit<SpeechDeliveryDeps, 'limits'> {
  streams: Pick<StreamReceiver, 'available' | 'listen'>;
  limits?: Partial<SpeechLimits>;
}

const RETRY_AFTER_SECONDS = 2;

export function createSpeeches({ limits: changed, ...rest }: SpeechesDeps): Speeches {
  const deps = { ...rest, limits: { ...SPEECH_LIMITS, ...changed } };
  const places = new Set<SpeechPlace>();
  const inHand = new Set<SpeechDelivery>();
  let allDone: (() => void) | undefined;

  function takePlace(): SpeechPlace {
    const refusal = reasonToRefuse();
    if (refusal !== undefined) throw busy(refusal);
    const place: SpeechPlace = {
      async deliver(taskId, caller) {
        const delivery = deliverSpeech(taskId, caller, deps);
        inHand.add(delivery);
        await delivery.done.finally(() => inHand.delete(delivery));
      },
      leave() {
        places.delete(place);
        if (places.size === 0) allDone?.();
      },
    };
    places.add(place);
    return place;
  }

  function reasonToRefuse(): string | undefined {
    if (allDone) return 'the process is about to end';
    if (places.size >= deps.limits.places) return 'as many callers wait for a speech as may';
    return deps.streams.available() ? undefined : 'Redis is away, or takes no more listeners';
  }

  return {
    takePlace,
    async drain() {
      const empty = new Promise<void>((resolve) => {
        allDone = resolve;
      });
      if (places.size === 0) return;
      const cut = setTimeout(() => {
        for (const delivery of inHand) void delivery.interrupt('internal_error');
      }, deps.limits.drainMs);
      await empty;
      clearTimeout(cut);
    },
  };
}

function busy(internal: string): GatewayError {
  return new GatewayError('unavailable', message('speech_full'), {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    internal,
  });
}
