import type { Readable } from 'node:stream';
import type { Owner } from '@mediagate/contracts';
import { AnswerBody, type TakeBytes } from './answer-body';
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
  /** The owner whose share of the connections the request takes; absent: nobody. */
  owner?: Owner | undefined;
  /** The caller's wish to stop, at any moment: before the answer, or in the middle of it. */
  signal: AbortSignal;
  /** Called when the request goes out: from then on the vendor may be working on it. */
  onSent?: (() => void) | undefined;
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
  readonly body: Readable;
  /** The same, each piece as it came, in place of `body`. Leaving its loop early ends the call. */
  readonly chunks: AsyncIterable<Buffer>;
  /** All of the bytes, in place of `body`, and by the same rules. What `take` throws of a piece ends the call, and is thrown. */
  whole(take: TakeBytes): Promise<Buffer>;
  /** Ends the call, if its answer was not read to its end. */
  close(): void;
}

/** An encoding is not asked for, because nobody here undoes one. */
const OWN_HEADERS = { 'user-agent': 'mediagate', 'accept-encoding': 'identity' };

class BegunAnswer implements StreamAnswer {
  readonly kind = 'answer';
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly #body: AnswerBody;

  constructor(status: number, headers: Readonly<Record<string, string>>, body: AnswerBody) {
    this.status = status;
    this.headers = headers;
    this.#body = body;
  }

  get body(): Readable {
    return this.#body.stream();
  }

  get chunks(): AsyncIterable<Buffer> {
    return this.#body.chunks();
  }

  whole(take: TakeBytes): Promise<Buffer> {
    return this.#body.whole(take);
  }

  close(): void {
    this.#body.close();
  }
}

/** One request by a connection of the pool. */
export function exchange(request: StreamRequest, pool: ConnectionPool): Promise<StreamReply> {
  return new Promise((resolve, reject) => {
    new StreamExchange(request, pool, { resolve, reject }).begin();
  });
}

class StreamExchange extends PooledExchange<StreamAnswer> {
  readonly #bodyTimeoutMs: number;
  readonly #maxBodyBytes: number;
  /** Absent before the answer begins, and once nobody reads it any more. */
  #body: AnswerBody | undefined;
  #hasBegun = false;
  #bodyBytes = 0;
  /** Limits the wait for the next chunk. */
  #timer: NodeJS.Timeout | undefined;
  #isPaused = false;

  constructor(request: StreamRequest, pool: ConnectionPool, outcome: Outcome<StreamAnswer>) {
    super({ ...request, headers: { ...OWN_HEADERS, ...request.headers } }, request.headersTimeoutMs, { pool, outcome });
    this.#bodyTimeoutMs = request.bodyTimeoutMs;
    this.#maxBodyBytes = request.maxBodyBytes;
  }

  protected override hasBegun(): boolean {
    return this.#hasBegun;
  }

  protected override answerBegins(status: number, fields: HeaderFields): void {
    this.stopClock();
    const body = new AnswerBody({ resume: () => this.#onDemand(), leave: () => this.#end() });
    this.#body = body;
    this.#hasBegun = true;
    this.#expectChunk();
    this.answer(new BegunAnswer(status, singleHeaders(fields), body));
  }

  protected override chunkArrives(chunk: Buffer): void {
    this.#bodyBytes += chunk.length;
    if (this.#bodyBytes > this.#maxBodyBytes) {
      this.#body?.break(new BrokenAnswerError('too_large'));
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
    if (this.#bodyBytes === 0) this.#body?.break(new BrokenAnswerError('empty'));
    else this.#body?.end();
  }

  protected override answerBreaks(code: string | undefined): void {
    clearTimeout(this.#timer);
    this.#body?.break(new BrokenAnswerError('cut', code));
  }

  protected override answerInterrupted(): void {
    this.#body?.break(new BrokenAnswerError('aborted'));
  }

  #end(): void {
    clearTimeout(this.#timer);
    this.#body = undefined;
    this.leave();
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
    this.#timer = setTimeout(() => this.#judgeSilence(), this.#bodyTimeoutMs);
  }

  /** Once the socket was read: where this process did not run for a while, the vendor's bytes wait there and it was not silent. */
  #judgeSilence(): void {
    const bytes = this.#bodyBytes;
    setImmediate(() => {
      if (this.#bodyBytes === bytes && !this.isOver) this.#body?.break(new BrokenAnswerError('stalled'));
    });
  }
}

function singleHeaders(fields: HeaderFields): Record<string, string> {
  const single: Record<string, string> = {};
  for (const name in fields) {
    const value = fields[name];
    if (typeof value === 'string') single[name] = value;
  }
  return single;
}
