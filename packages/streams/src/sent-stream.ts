import { inEnglish } from '@mediagate/contracts';
import {
  type OutgoingStream,
  type StreamEnd,
  StreamEndedError,
  type TaskFailure,
  WINDOW_BYTES,
} from './outgoing-stream';
import { EMPTY, type Entry } from './wire';

/** A larger chunk is split, so that a single one never waits for the whole window. */
const PIECE_BYTES = WINDOW_BYTES / 4;

export interface SentStreamDeps {
  taskId: string;
  fence: number;
  /** Ends every wait of the stream. */
  signal: AbortSignal;
  /** Adds entries in the order of the calls. Resolves when Redis has the entry, or it is given up. */
  add(entry: Entry, bytes: Buffer): Promise<void>;
  /** The last entry was added: forget the stream. */
  onEnd(): void;
}

/** A stream in the worker that sends it. It knows nothing of Redis: the session adds its entries and reports what comes back. */
export class SentStream implements OutgoingStream {
  readonly #deps: SentStreamDeps;
  readonly #controller = new AbortController();
  readonly #onAbort = () => this.#resumeSender?.();
  #bytesSent = 0;
  #bytesAcknowledged = 0;
  #chunksAdded = 0;
  /** Entries of this stream that Redis has not confirmed. */
  #unconfirmed = 0;
  /** Pieces that go out together in the next entry. */
  #gathered: Buffer[] = [];
  #gatheredBytes = 0;
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

  async send(chunk: Uint8Array): Promise<void> {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    for (let from = 0; from < bytes.length; from += PIECE_BYTES) {
      await this.#sendPiece(bytes.subarray(from, from + PIECE_BYTES));
    }
  }

  async finish(): Promise<void> {
    await this.#until(() => true);
    this.#addGathered();
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

  async #sendPiece(piece: Buffer): Promise<void> {
    await this.#until(() => this.#bytesSent + piece.length - this.#bytesAcknowledged <= WINDOW_BYTES);
    this.#bytesSent += piece.length;
    if (this.#gatheredBytes + piece.length > PIECE_BYTES) this.#addGathered();
    this.#gathered.push(piece);
    this.#gatheredBytes += piece.length;
    // The first bytes go out at once. Later ones gather while an entry is unconfirmed, so that a busy process adds fewer.
    if (this.#chunksAdded === 0 || this.#gatheredBytes >= PIECE_BYTES) this.#addGathered();
    else if (this.#unconfirmed === 0 && this.#gathered.length === 1) setImmediate(() => this.#addGathered());
  }

  #addGathered(): void {
    if (this.#gathered.length === 0 || this.#isOver || this.#ended !== undefined) return;
    const [first = EMPTY, ...more] = this.#gathered;
    const bytes = more.length === 0 ? first : Buffer.concat(this.#gathered, this.#gatheredBytes);
    this.#gathered = [];
    this.#gatheredBytes = 0;
    const value = this.#chunksAdded;
    this.#chunksAdded += 1;
    this.#unconfirmed += 1;
    // Not awaited: an entry that Redis does not take ends the stream, and the window bounds what is unconfirmed.
    void this.#deps.add({ kind: 'chunk', ...this.#name(), value }, bytes).then(() => {
      this.#unconfirmed -= 1;
      if (this.#unconfirmed === 0) this.#addGathered();
    });
  }

  async #addLast(entry: Entry): Promise<void> {
    if (this.#isOver) return;
    this.#addGathered();
    this.#isOver = true;
    this.#deps.signal.removeEventListener('abort', this.#onAbort);
    const added = this.#deps.add(entry, EMPTY);
    this.#deps.onEnd();
    await added;
  }
}
