import { inEnglish } from '@mediagate/contracts';
import {
  type OutgoingStream,
  type StreamEnd,
  StreamEndedError,
  type TaskFailure,
  WINDOW_BYTES,
} from './outgoing-stream';
import { type AboutTask, EMPTY } from './wire';

/** A larger chunk is split, so that a single one never waits for the whole window. */
const PIECE_BYTES = WINDOW_BYTES / 4;

export interface SentStreamDeps {
  taskId: string;
  fence: number;
  /** Ends every wait of the stream. */
  signal: AbortSignal;
  /** Adds entries in the order of the calls. Resolves when the entry is on its way, or given up; undefined: it is. */
  add(entry: AboutTask, bytes: Buffer): Promise<void> | undefined;
  /** The last entry was added: forget the stream. */
  onEnd(): void;
}

/** A stream in the worker that sends it. It knows nothing of the way: whoever adds its entries reports what comes back. */
export class SentStream implements OutgoingStream {
  readonly #deps: SentStreamDeps;
  readonly #controller = new AbortController();
  readonly #onAbort = () => this.#resumeSender?.();
  #bytesSent = 0;
  #bytesAcknowledged = 0;
  #chunksAdded = 0;
  #ended: StreamEnd | undefined;
  #isOver = false;
  #resumeSender: (() => void) | undefined;

  constructor(deps: SentStreamDeps) {
    this.#deps = deps;
    deps.signal.addEventListener('abort', this.#onAbort, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get ended(): StreamEnd | undefined {
    return this.#ended;
  }

  send(chunk: Uint8Array): Promise<void> | undefined {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    // There is no frame of nothing.
    if (bytes.length === 0) return undefined;
    if (bytes.length > PIECE_BYTES || !this.#admits(bytes)) return this.#sendInTurn(bytes);
    this.#add(bytes);
    return undefined;
  }

  async finish(): Promise<void> {
    await this.#until(() => true);
    void this.#deps.add({ kind: 'eof', ...this.#name(), value: this.#bytesSent }, EMPTY);
    await this.#until(() => this.#bytesAcknowledged === this.#bytesSent);
  }

  settled(): Promise<void> {
    return this.#addLast({ kind: 'settled', ...this.#name(), value: null });
  }

  failed(failure: TaskFailure): Promise<void> {
    const value = { ...failure, message: inEnglish(failure.message), template: failure.message };
    return this.#addLast({ kind: 'failed', ...this.#name(), value });
  }

  released(): Promise<void> {
    return this.#addLast({ kind: 'released', ...this.#name(), value: null });
  }

  lost(): Promise<void> {
    return this.#addLast({ kind: 'lost', ...this.#name(), value: null });
  }

  /** @param bytes of the whole stream that the caller's socket has taken. */
  receiveAcknowledged(bytes: number): void {
    this.#bytesAcknowledged = Math.max(this.#bytesAcknowledged, Math.min(bytes, this.#bytesSent));
    this.#resumeSender?.();
  }

  /** Nobody receives the stream any more. */
  end(reason: StreamEnd): void {
    if (this.#ended !== undefined || this.#isOver) return;
    this.#ended = reason;
    this.#controller.abort(new StreamEndedError(reason));
    this.#resumeSender?.();
  }

  #name(): { taskId: string; fence: number } {
    return { taskId: this.#deps.taskId, fence: this.#deps.fence };
  }

  /** Only one call waits at a time: a sender sends its chunks in their order. */
  async #until(holds: () => boolean): Promise<void> {
    const { signal } = this.#deps;
    while (this.#ended === undefined && !signal.aborted && !holds()) {
      await new Promise<void>((resolve) => {
        this.#resumeSender = resolve;
      });
    }
    if (this.#ended !== undefined) throw new StreamEndedError(this.#ended);
    signal.throwIfAborted();
  }

  async #sendInTurn(bytes: Buffer): Promise<void> {
    for (let from = 0; from < bytes.length; from += PIECE_BYTES) {
      const piece = bytes.subarray(from, from + PIECE_BYTES);
      await this.#until(() => this.#isInWindow(piece));
      this.#add(piece);
    }
  }

  /** Without a wait, and without an error. */
  #admits(bytes: Buffer): boolean {
    return this.#ended === undefined && !this.#deps.signal.aborted && this.#isInWindow(bytes);
  }

  #isInWindow(bytes: Buffer): boolean {
    return this.#bytesSent + bytes.length - this.#bytesAcknowledged <= WINDOW_BYTES;
  }

  #add(piece: Buffer): void {
    this.#bytesSent += piece.length;
    // Not awaited: an entry that is not taken ends the stream, and the window bounds what is on its way.
    void this.#deps.add({ kind: 'chunk', ...this.#name(), value: this.#chunksAdded }, piece);
    this.#chunksAdded += 1;
  }

  async #addLast(entry: AboutTask): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#deps.signal.removeEventListener('abort', this.#onAbort);
    const added = this.#deps.add(entry, EMPTY);
    this.#deps.onEnd();
    await added;
  }
}
