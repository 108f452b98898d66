import { RepeatedLook } from '@mediagate/concurrency';
import { GatewayError, message, type TaskId } from '@mediagate/contracts';
import type { StreamReceiver } from '@mediagate/streams';
import { SPEECH_LIMITS, type SpeechLimits } from '../../request-limits';
import { type SpeechCaller, SpeechStream, type SpeechStreamDeps } from './speech-stream';

/** The speeches that callers of this process wait for. */
export interface Speeches {
  /**
   * A slot for one more speech, to be taken before money is reserved for it.
   *
   * @throws GatewayError `unavailable` when Redis is away, every slot is taken, or the process is about to end.
   */
  takeSlot(): SpeechSlot;
  /** Takes no more and waits for those in flight; a speech that is left when the time is up is cut off and refunded. */
  drain(): Promise<void>;
}

export interface SpeechSlot {
  /** Once, as soon as the task is in the books. Resolves and throws as `SpeechStream.done`. */
  deliver(taskId: TaskId, caller: SpeechCaller): Promise<void>;
  /** Gives the slot back. */
  leave(): void;
}

export interface SpeechesDeps extends Omit<SpeechStreamDeps, 'limits'> {
  streams: Pick<StreamReceiver, 'available' | 'listen'>;
  /** Those of the tasks that their accounts want cancelled, or have cancelled. */
  findCancelled(ids: readonly TaskId[]): Promise<TaskId[]>;
  limits?: Partial<SpeechLimits>;
}

/** How soon a cancellation is noticed: one statement for all speeches of the process, and none without any. */
const CANCEL_LOOK_MS = 500;
const RETRY_AFTER_SECONDS = 2;

export function createSpeeches({ limits: changed, ...rest }: SpeechesDeps): Speeches {
  const deps = { ...rest, limits: { ...SPEECH_LIMITS, ...changed } };
  const slots = new Set<SpeechSlot>();
  const inFlight = new Map<TaskId, SpeechStream>();
  let allDone: (() => void) | undefined;
  const looks = new RepeatedLook({
    everyMs: CANCEL_LOOK_MS,
    isWanted: () => inFlight.size > 0,
    look: cancelWanted,
    onError: (error) => deps.logger.warn('speech.cancel_look_failed', { error }),
  });

  function takeSlot(): SpeechSlot {
    const refusal = reasonToRefuse();
    if (refusal !== undefined) throw busy(refusal);
    const slot: SpeechSlot = {
      async deliver(taskId, caller) {
        const stream = new SpeechStream(taskId, caller, deps);
        inFlight.set(taskId, stream);
        looks.start();
        await stream.done.finally(() => inFlight.delete(taskId));
      },
      leave() {
        slots.delete(slot);
        if (slots.size === 0) allDone?.();
      },
    };
    slots.add(slot);
    return slot;
  }

  async function cancelWanted(): Promise<void> {
    for (const id of await deps.findCancelled([...inFlight.keys()])) await inFlight.get(id)?.cancel();
  }

  function reasonToRefuse(): string | undefined {
    if (allDone) return 'the process is about to end';
    if (slots.size >= deps.limits.slots) return 'every slot for a speech is taken';
    return deps.streams.available() ? undefined : 'Redis is away, or takes no more listeners';
  }

  return {
    takeSlot,
    async drain() {
      const empty = new Promise<void>((resolve) => {
        allDone = resolve;
      });
      if (slots.size === 0) return;
      const cut = setTimeout(() => {
        for (const stream of inFlight.values()) void stream.interrupt('internal_error');
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
