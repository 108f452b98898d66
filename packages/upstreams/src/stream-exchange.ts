import { Readable } from 'node:stream';
import { BrokenAnswerError } from './broken-answer';
import type { ConnectionPool } from './connection-pool';
import type { Lost } from './lost';
import { type HeaderFields, type Outcome, PooledExchange } from './pooled-exchange';

export interface StreamRequest {
  method: 'GET' | 'POST';
  url: string;
  headers: Record<string, string>;
  /** Sent as it is. */
  body?: Buffer;
  /** The caller's wish to stop, at any moment: before the answer, or in the middle of it. */
  signal: AbortSignal;
  /** From the first step, waiting for a free connection included, to the vendor's status line. */
  headersTimeoutMs: number;
  /** The longest silence of the vendor in the middle of its answer; a reader that makes it wait does not count. */
  bodyTimeoutMs: number;
  maxBodyBytes: number;
}

export type StreamReply = StreamAnswer | Lost;

/** The vendor's status line arrived; the rest is on its way. */
export interface StreamAnswer {
  kind: 'answer';
  status: number;
  /** Lower-case names; those that came more than once are left out. */
  headers: Readonly<Record<string, string>>;
  /**
   * The bytes as they come, never inflated; some 128 KiB wait at most. Ends when the answer is complete, else breaks with a
   * `BrokenAnswerError`; an answer without a byte is broken too. Whoever has it must read it to its end or destroy it,
   * which ends the call.
   */
  body: Readable;
}

/** Unread bytes beyond which reading from the vendor pauses. One read of the socket may come on top. */
const BUFFERED_BYTES = 64 * 1024;

/** One request by a connection of the pool. */
export function exchange(request: StreamRequest, pool: ConnectionPool): Promise<StreamReply> {
  return new Promise((resolve, reject) => {
    new StreamExchange(request, pool, { resolve, reject }).begin();
  });
}

class StreamExchange extends PooledExchange<StreamAnswer> {
  readonly #limits: Pick<StreamRequest, 'bodyTimeoutMs' | 'maxBodyBytes'>;
  #body: Readable | undefined;
  #bodyBytes = 0;
  /** Of the next chunk. */
  #timer: NodeJS.Timeout | undefined;
  #isPaused = false;

  constructor(request: StreamRequest, pool: ConnectionPool, outcome: Outcome<StreamAnswer>) {
    super({ ...request, timeoutMs: request.headersTimeoutMs }, pool, outcome);
    this.#limits = request;
  }

  protected override hasBegun(): boolean {
    return this.#body !== undefined;
  }

  protected override answerBegins(status: number, fields: HeaderFields): void {
    this.stopClock();
    const body = new Readable({
      highWaterMark: BUFFERED_BYTES,
      read: () => this.#onDemand(),
      destroy: (error, done) => {
        clearTimeout(this.#timer);
        this.leave();
        done(error);
      },
    });
    // Whoever reads gets the error from reading; an event for nobody would end the process.
    body.on('error', () => {});
    this.#body = body;
    this.#expectChunk();
    this.answer({ kind: 'answer', status, headers: singleHeaders(fields), body });
  }

  protected override chunkArrives(chunk: Buffer): void {
    this.#bodyBytes += chunk.length;
    if (this.#bodyBytes > this.#limits.maxBodyBytes) {
      this.#body?.destroy(new BrokenAnswerError('too_large'));
    } else if (this.#body?.push(chunk)) {
      this.#timer?.refresh();
    } else if (!this.#isPaused) {
      this.#isPaused = true;
      clearTimeout(this.#timer);
      this.controller?.pause();
    }
  }

  protected override answerEnds(): void {
    clearTimeout(this.#timer);
    if (this.#bodyBytes === 0) this.#body?.destroy(new BrokenAnswerError('empty'));
    else this.#body?.push(null);
  }

  protected override answerBreaks(code: string | undefined): void {
    clearTimeout(this.#timer);
    this.#body?.destroy(new BrokenAnswerError('cut', code));
  }

  protected override answerInterrupted(): void {
    this.#body?.destroy(new BrokenAnswerError('aborted'));
  }

  /** The reader wants more. */
  #onDemand(): void {
    if (!this.#isPaused || this.isOver) return;
    this.#isPaused = false;
    this.#expectChunk();
    // Last: it may bring a chunk at once, which pauses again and ends the watch.
    this.controller?.resume();
  }

  #expectChunk(): void {
    this.#timer = setTimeout(() => this.#judgeSilence(), this.#limits.bodyTimeoutMs);
  }

  /** Once the socket was read: where this process did not run for a while, the vendor's bytes wait there and it was not silent. */
  #judgeSilence(): void {
    const bytes = this.#bodyBytes;
    setImmediate(() => {
      if (this.#bodyBytes === bytes && !this.isOver) this.#body?.destroy(new BrokenAnswerError('stalled'));
    });
  }
}

function singleHeaders(fields: HeaderFields): Record<string, string> {
  const entries = Object.entries(fields).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return Object.fromEntries(entries);
}
