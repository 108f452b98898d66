import type { ListenerAddress } from '@mediagate/contracts';
import { type Exchange, IncomingSpeech, type TakeAudio } from './incoming-speech';
import type { WorkerEnd } from './wire';

export type { TakeAudio } from './incoming-speech';

export interface SpeechEnd {
  /**
   * `settled`: the audio is whole, and the task is paid; also after `leave()`. `failed`: the worker has failed the task, and its row says why.
   * `worker_lost`: the worker is gone, or has lost the task: the caller's process then ends the task under the fence, unless it has ended.
   * `abandoned`: the caller has left, and no worker brings the speech, or none any more. `closed`: by `close()`.
   */
  kind: 'settled' | 'failed' | 'worker_lost' | 'abandoned' | 'closed';
  /** The fence of the latest claim whose worker came; 0: none did. */
  fence: number;
}

/** One caller of this process who waits for a speech. Workers may come as soon as it exists. */
export class WaitingCaller {
  /** Where the worker brings the speech; only the task's row knows the token. */
  readonly listener: ListenerAddress;
  readonly #ended: Promise<SpeechEnd>;
  readonly #onEnd: (end: SpeechEnd) => void;
  #fence = 0;
  #speech: IncomingSpeech | undefined;
  #take: TakeAudio | undefined;
  #hasLeft = false;
  #admitsNobody = false;
  #hasAudio = false;

  /** @param forget called once, when no worker may come any more. */
  constructor(listener: ListenerAddress, forget: () => void) {
    this.listener = listener;
    let resolve: (end: SpeechEnd) => void = () => undefined;
    this.#ended = new Promise<SpeechEnd>((resolved) => {
      resolve = resolved;
    });
    this.#onEnd = (end) => {
      forget();
      resolve(end);
    };
  }

  get fence(): number {
    return this.#fence;
  }

  /** A worker brings the speech, and may have asked its vendor. */
  get isClaimed(): boolean {
    return this.#speech !== undefined;
  }

  /** Passes on what workers bring, one claim after the other. Resolves with the end, which always comes: by `leave()` or `close()` at the latest. */
  hear(take: TakeAudio): Promise<SpeechEnd> {
    this.#take = (bytes, onTaken) => {
      this.#hasAudio = true;
      take(bytes, onTaken);
    };
    this.#speech?.passTo(this.#take);
    return this.#ended;
  }

  /** From now on a worker that comes is refused, once the speech has ended: its own end would be written under another reason. A worker that was admitted is not affected. */
  admitNobody(): void {
    this.#admitsNobody = true;
  }

  /** Admits a worker, unless the caller has left, a later claim has come, or audio was received: another worker would begin anew. */
  admit(exchange: Exchange, fence: number): void {
    const isNext = fence > this.#fence && !this.#hasAudio;
    if (this.#hasLeft) refuse(exchange, 410);
    else if (this.#admitsNobody) void this.#ended.then(() => refuse(exchange, 410));
    else if (isNext) this.#begin(exchange, fence);
    else refuse(exchange, 409);
  }

  /** The caller hung up. The end comes once the worker knows what its vendor says. */
  leave(): void {
    if (this.#hasLeft) return;
    this.#hasLeft = true;
    if (this.#speech) this.#speech.leave();
    else this.#end('abandoned');
  }

  close(): void {
    this.#end('closed');
    this.#speech?.cut();
  }

  #begin(exchange: Exchange, fence: number): void {
    const former = this.#speech;
    this.#fence = fence;
    const speech = new IncomingSpeech(exchange, (end) => this.#speechEnded(speech, end));
    this.#speech = speech;
    former?.cut();
    if (this.#take) speech.passTo(this.#take);
  }

  #speechEnded(speech: IncomingSpeech, end: WorkerEnd | 'broken'): void {
    if (this.#speech !== speech) return;
    this.#speech = undefined;
    if (end === 'settled' || end === 'failed') this.#end(end);
    else if (this.#hasLeft) this.#end('abandoned');
    // A task whose audio was heard cannot go on: another worker would begin anew.
    else if (end === 'broken' || this.#hasAudio) this.#end('worker_lost');
  }

  #end(kind: SpeechEnd['kind']): void {
    this.#onEnd({ kind, fence: this.#fence });
  }
}

/** 404: nobody waits, or not with this token. 409: the token is used up. 410: the caller has left, or his speech is being ended. */
export function refuse({ response }: Pick<Exchange, 'response'>, status: 404 | 409 | 410): void {
  response.on('error', () => undefined);
  response.writeHead(status, { Connection: 'close' }).end();
}
