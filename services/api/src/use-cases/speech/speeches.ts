import { type Held, RepeatedLook, Slots } from '@mediagate/concurrency';
import { GatewayError, type ListenerAddress, message, type Owner, type TaskId } from '@mediagate/contracts';
import type { Queues } from '@mediagate/queue';
import type { SpeechPort, WaitingCaller } from '@mediagate/speech';
import { SPEECH_LIMITS, type SpeechLimits } from '../../request-limits';
import { type SpeechCaller, SpeechStream, type SpeechStreamDeps } from './speech-stream';

export interface SpeechSlot {
  /** Where the task's worker brings the speech; to be booked with the task. */
  listener: ListenerAddress;
  /** To be called once, as soon as the task is in the books. Resolves and throws as `SpeechStream.done`. */
  deliver(taskId: TaskId, caller: SpeechCaller): Promise<void>;
  /** Gives the slot back. */
  leave(): void;
}

export interface SpeechesDeps extends Omit<SpeechStreamDeps, 'limits'> {
  port: Pick<SpeechPort, 'expect'>;
  queues: SpeechStreamDeps['queues'] & Pick<Queues, 'isConnected'>;
  /** Finds the tasks that their accounts want cancelled, or have cancelled. */
  findCancelled(ids: readonly TaskId[]): Promise<TaskId[]>;
  limits?: Partial<SpeechLimits>;
}

/** How soon a cancellation is noticed: one statement for all speeches of the process, and none without any. */
const CANCEL_LOOK_MS = 500;
const RETRY_AFTER_SECONDS = 2;

/** The speeches that callers of this process wait for. */
export class Speeches {
  readonly #deps: SpeechStreamDeps & SpeechesDeps;
  readonly #slots: Slots;
  readonly #inFlight = new Map<TaskId, SpeechStream>();
  readonly #cancelLooks: RepeatedLook;
  #allDone: (() => void) | undefined;

  constructor(deps: SpeechesDeps) {
    const limits = { ...SPEECH_LIMITS, ...deps.limits };
    this.#deps = { ...deps, limits };
    this.#slots = new Slots({ capacity: limits.slots });
    this.#cancelLooks = new RepeatedLook({
      everyMs: CANCEL_LOOK_MS,
      isWanted: () => this.#inFlight.size > 0,
      look: () => this.#cancelWanted(),
      onError: (error) => deps.logger.warn('speech.cancel_look_failed', { error }),
    });
  }

  /**
   * A slot for one more speech, to be taken before money is reserved for it.
   *
   * @throws GatewayError `unavailable` when Redis is away, every slot is taken, or the process is about to end; `rate_limited` when the
   * owner has its share.
   */
  takeSlot(owner: Owner): SpeechSlot {
    const { release } = this.#slotFor(owner);
    const waiting = this.#deps.port.expect();
    return {
      listener: waiting.listener,
      deliver: (taskId, caller) => this.#deliver(taskId, caller, waiting),
      leave: () => {
        waiting.close();
        release();
        if (this.#slots.held === 0) this.#allDone?.();
      },
    };
  }

  /** Takes no more and waits for those in flight; a speech that is left when the time is up is cut off and refunded. */
  async drain(): Promise<void> {
    const empty = new Promise<void>((resolve) => {
      this.#allDone = resolve;
    });
    if (this.#slots.held === 0) return;
    const cut = setTimeout(() => {
      for (const stream of this.#inFlight.values()) void stream.interrupt('internal_error');
    }, this.#deps.limits.drainMs);
    await empty;
    clearTimeout(cut);
  }

  async #deliver(taskId: TaskId, caller: SpeechCaller, waiting: WaitingCaller): Promise<void> {
    const stream = new SpeechStream(taskId, { ...caller, waiting }, this.#deps);
    this.#inFlight.set(taskId, stream);
    this.#cancelLooks.start();
    await stream.done.finally(() => this.#inFlight.delete(taskId));
  }

  async #cancelWanted(): Promise<void> {
    const wanted = await this.#deps.findCancelled([...this.#inFlight.keys()]);
    await Promise.all(wanted.map((id) => this.#inFlight.get(id)?.cancel()));
  }

  #slotFor(owner: Owner): Held {
    if (this.#allDone) throw busy('the process is about to end');
    if (!this.#deps.queues.isConnected()) throw busy('Redis is away');
    const held = this.#slots.tryTake({ owner });
    if (held !== undefined) return held;
    throw this.#slots.areAllTaken ? busy('every slot for a speech is taken') : shareTaken();
  }
}

function shareTaken(): GatewayError {
  const retryAfterSeconds = RETRY_AFTER_SECONDS;
  return new GatewayError('rate_limited', message('too_many_open_requests_of_account'), { retryAfterSeconds });
}

function busy(internal: string): GatewayError {
  return new GatewayError('unavailable', message('speech_full'), {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    internal,
  });
}
