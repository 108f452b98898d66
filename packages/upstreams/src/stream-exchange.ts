import { Readable } from 'node:stream';
import { type Dispatcher, errors } from 'undici';
import { BrokenAnswerError } from './broken-answer';
import type { ConnectionPool, Waiter } from './connection-pool';
import type { Lost } from './http-client';
import type { StreamConnection } from './stream-connection';

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

interface Outcome {
  resolve(reply: StreamReply): void;
  /** Only for bugs of the caller. */
  reject(error: unknown): void;
}

class StreamExchange implements Waiter, Dispatcher.DispatchHandler {
  readonly #request: StreamRequest;
  readonly #pool: ConnectionPool;
  readonly #outcome: Outcome;
  readonly #onAbort = () => this.#interrupt('aborted');
  #connection: StreamConnection | undefined;
  #controller: Dispatcher.DispatchController | undefined;
  /** The connection is up and the request goes out. Before that the vendor cannot have seen anything of it. */
  #sent = false;
  #body: Readable | undefined;
  #bodyBytes = 0;
  /** Of the status line first, of the next chunk later. */
  #timer: NodeJS.Timeout | undefined;
  #isPaused = false;
  /** The vendor's side has ended: the answer is complete, or has broken off. */
  #over = false;

  constructor(request: StreamRequest, pool: ConnectionPool, outcome: Outcome) {
    this.#request = request;
    this.#pool = pool;
    this.#outcome = outcome;
  }

  begin(): void {
    const { signal, headersTimeoutMs } = this.#request;
    if (signal.aborted) {
      this.#lose('aborted');
      return;
    }
    signal.addEventListener('abort', this.#onAbort, { once: true });
    this.#timer = setTimeout(() => this.#interrupt('deadline'), headersTimeoutMs);
    this.#pool.take(this);
  }

  use(connection: StreamConnection): void {
    this.#connection = connection;
    const { method, url, headers, body } = this.#request;
    const { pathname, search } = new URL(url);
    connection.dispatch({ method, path: `${pathname}${search}`, headers, body: body ?? null }, this);
  }

  refuse(): void {
    this.#lose('busy');
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // Paid work is sent once, whatever the connection's own ideas of repeating it may be.
    if (this.#sent) controller.abort(new Error('a request is never sent twice'));
    this.#sent = true;
    this.#controller = controller;
  }

  onResponseStart(_: unknown, status: number, headers: Record<string, string | string[] | undefined>): void {
    if (status < 200) return;
    clearTimeout(this.#timer);
    this.#body = new Readable({
      highWaterMark: BUFFERED_BYTES,
      read: () => this.#onDemand(),
      destroy: (error, done) => {
        this.#onBodyClosed();
        done(error);
      },
    });
    // Whoever reads gets the error from reading; an event for nobody would end the process.
    this.#body.on('error', () => {});
    this.#expectChunk();
    this.#outcome.resolve({ kind: 'answer', status, headers: singleHeaders(headers), body: this.#body });
  }

  onResponseData(_: unknown, chunk: Buffer): void {
    this.#bodyBytes += chunk.length;
    if (this.#bodyBytes > this.#request.maxBodyBytes) {
      this.#body?.destroy(new BrokenAnswerError('too_large'));
    } else if (this.#body?.push(chunk)) {
      this.#timer?.refresh();
    } else if (!this.#isPaused) {
      this.#isPaused = true;
      clearTimeout(this.#timer);
      this.#controller?.pause();
    }
  }

  onResponseEnd(): void {
    this.#finish();
    if (this.#bodyBytes === 0) this.#body?.destroy(new BrokenAnswerError('empty'));
    else this.#body?.push(null);
  }

  onResponseError(_: unknown, error: Error): void {
    this.#finish();
    if (error instanceof errors.InvalidArgumentError) this.#outcome.reject(error);
    else if (this.#body !== undefined) this.#body.destroy(new BrokenAnswerError('cut', codeOf(error)));
    else if (error instanceof errors.ConnectTimeoutError) this.#lose('connect_timeout');
    else this.#lose('network', codeOf(error));
  }

  /** The reader wants more. */
  #onDemand(): void {
    if (!this.#isPaused || this.#over) return;
    this.#isPaused = false;
    this.#expectChunk();
    // Last: it may bring a chunk at once, which pauses again and ends the watch.
    this.#controller?.resume();
  }

  #expectChunk(): void {
    this.#timer = setTimeout(() => this.#judgeSilence(), this.#request.bodyTimeoutMs);
  }

  /** Once the socket was read: where this process did not run for a while, the vendor's bytes wait there and it was not silent. */
  #judgeSilence(): void {
    const bytes = this.#bodyBytes;
    setImmediate(() => {
      if (this.#bodyBytes === bytes && !this.#over) this.#body?.destroy(new BrokenAnswerError('stalled'));
    });
  }

  /** Read to the end, broken, or left by its reader. */
  #onBodyClosed(): void {
    this.#request.signal.removeEventListener('abort', this.#onAbort);
    if (!this.#over) this.#hangUp();
  }

  #interrupt(why: 'deadline' | 'aborted'): void {
    if (this.#body !== undefined) {
      this.#body.destroy(new BrokenAnswerError('aborted'));
      return;
    }
    this.#lose(why);
    if (this.#connection === undefined) this.#pool.leave(this);
    else this.#hangUp();
  }

  /** With its connection, which is good for nothing else now: undici's own abort would open a new one at once. */
  #hangUp(): void {
    void this.#connection?.destroy();
  }

  /** Without a status line. Only the first word counts. */
  #lose(why: Lost['why'], code?: string): void {
    clearTimeout(this.#timer);
    this.#request.signal.removeEventListener('abort', this.#onAbort);
    const lost = { kind: 'lost', sent: this.#sent, why } as const;
    this.#outcome.resolve(code === undefined ? lost : { ...lost, code });
  }

  #finish(): void {
    this.#over = true;
    clearTimeout(this.#timer);
    if (this.#connection === undefined) return;
    this.#pool.giveBack(this.#connection);
  }
}

/** The code alone: an error of a connection names its addresses. */
function codeOf(error: Error): string | undefined {
  const { code } = error as NodeJS.ErrnoException;
  return typeof code === 'string' ? code : undefined;
}

function singleHeaders(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const entries = Object.entries(headers).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return Object.fromEntries(entries);
}
