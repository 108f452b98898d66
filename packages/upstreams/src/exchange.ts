import type { Readable } from 'node:stream';
import { NOBODY, type Owner } from '@mediagate/contracts';
import { type Dispatcher, errors } from 'undici';
import { addressOf } from './address';
import { AnswerBody, BrokenAnswerError } from './answer-body';
import type { ConnectionPool, Waiter } from './connection-pool';
import type { Lost } from './json-body';
import type { StreamConnection } from './stream-connection';

export interface ExchangeRequest {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  url: string;
  headers: Record<string, string>;
  /** Sent as it is; absent: none. */
  body?: string | Buffer | Readable | undefined;
  /** The owner whose share of the connections the request takes; absent: nobody. */
  owner?: Owner | undefined;
  /** The caller's wish to stop, at any moment: before the answer, or in the middle of it. */
  signal: AbortSignal;
  /** Called when the request goes out: from then on the vendor may be working on it. */
  onSent?: (() => void) | undefined;
  /** From the first step, waiting for a free connection included, to the vendor's status line. */
  headersTimeoutMs: number;
  /** The longest silence of the vendor in the middle of its answer; a reader that makes it wait does not count. Absent: no limit. */
  bodyTimeoutMs?: number | undefined;
  maxBodyBytes: number;
}

export type StreamReply = StreamAnswer | Lost;

/** The vendor's status line arrived; the rest is on its way. */
export interface StreamAnswer {
  kind: 'answer';
  status: number;
  /** Lower-case names, each with its first value. */
  headers: Readonly<Record<string, string>>;
  /**
   * The bytes as they come, never inflated; some 128 KiB wait at most. Ends when the answer is complete, else breaks with a
   * `BrokenAnswerError`; an answer without a byte is broken too. Whoever has it must read it to its end or close it.
   */
  body: AnswerBody;
}

/** One request by a connection of the pool. Rejects for bugs of the caller alone. */
export function exchange(request: ExchangeRequest, pool: ConnectionPool): Promise<StreamReply> {
  return new Promise((resolve, reject) => {
    new Exchange(request, pool, { resolve, reject }).begin();
  });
}

interface Outcome {
  resolve(reply: StreamReply): void;
  reject(error: unknown): void;
}

type HeaderFields = Record<string, string | string[] | undefined>;

class Exchange implements Waiter, Dispatcher.DispatchHandler {
  readonly owner: Owner;
  readonly #pool: ConnectionPool;
  readonly #limits: Pick<ExchangeRequest, 'bodyTimeoutMs' | 'maxBodyBytes'>;
  /** Absent once nobody waits for it: the connection keeps its last exchange, and would keep all that the request refers to with it. */
  #request: ExchangeRequest | undefined;
  #outcome: Outcome | undefined;
  readonly #onAbort = () => this.#interrupt('aborted');
  #connection: StreamConnection | undefined;
  #controller: Dispatcher.DispatchController | undefined;
  /** The connection is up and the request goes out. Before that the vendor cannot have seen anything of it. */
  #sent = false;
  /** Limits the wait for the status line, then for the next chunk. */
  #timer: NodeJS.Timeout | undefined;
  #hasBegun = false;
  /** Absent before the answer begins, and once nobody reads it any more. */
  #body: AnswerBody | undefined;
  #bodyBytes = 0;
  /** The `content-length` of the answer; NaN: it has none. Behind its last byte nobody waits: a vendor that closes then would seem to have cut it. */
  #announcedBytes = Number.NaN;
  #isPaused = false;
  /** The vendor's side has ended: the answer is complete, or has broken off. */
  #isOver = false;

  constructor(request: ExchangeRequest, pool: ConnectionPool, outcome: Outcome) {
    const { owner = NOBODY, bodyTimeoutMs, maxBodyBytes } = request;
    this.owner = owner;
    this.#request = request;
    this.#pool = pool;
    this.#outcome = outcome;
    this.#limits = { bodyTimeoutMs, maxBodyBytes };
  }

  begin(): void {
    if (this.#request?.signal.aborted) this.#lose('aborted');
    if (this.#request === undefined) return;
    const { signal, headersTimeoutMs } = this.#request;
    signal.addEventListener('abort', this.#onAbort, { once: true });
    this.#timer = setTimeout(() => this.#interrupt('deadline'), headersTimeoutMs);
    this.#pool.take(this);
  }

  use(connection: StreamConnection): void {
    this.#connection = connection;
    if (this.#request === undefined) {
      this.#pool.giveBack(connection);
      return;
    }
    const { method, url, headers, body } = this.#request;
    connection.dispatch({ method, path: addressOf(url).path, headers, body: body ?? null }, this);
  }

  refuse(): void {
    this.#lose('busy');
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // Paid work is sent once, whatever the connection's own ideas of repeating it may be.
    if (this.#sent) controller.abort(new Error('a request is never sent twice'));
    this.#sent = true;
    this.#request?.onSent?.();
    this.#controller = controller;
  }

  onResponseStart(_: unknown, status: number, fields: HeaderFields): void {
    if (status < 200) return;
    clearTimeout(this.#timer);
    const body = new AnswerBody({ resume: () => this.#onDemand(), leave: () => this.#leave() });
    this.#body = body;
    this.#hasBegun = true;
    this.#announcedBytes = Number(fields['content-length']);
    this.#expectChunk();
    this.#outcome?.resolve({ kind: 'answer', status, headers: firstValues(fields), body });
    this.#outcome = undefined;
  }

  onResponseData(_: unknown, chunk: Buffer): void {
    this.#bodyBytes += chunk.length;
    if (this.#bodyBytes > this.#limits.maxBodyBytes) {
      this.#body?.break(new BrokenAnswerError('too_large'));
    } else if (this.#body?.push(chunk)) {
      this.#timer?.refresh();
    } else if (!this.#isPaused && this.#bodyBytes !== this.#announcedBytes) {
      this.#isPaused = true;
      clearTimeout(this.#timer);
      this.#controller?.pause();
    }
  }

  onResponseEnd(): void {
    this.#finish();
    if (this.#bodyBytes === 0) this.#body?.break(new BrokenAnswerError('empty'));
    else this.#body?.end();
  }

  onResponseError(_: unknown, error: Error): void {
    this.#finish();
    if (error instanceof errors.InvalidArgumentError) {
      // A bug of ours, as a header that there cannot be.
      const outcome = this.#outcome;
      this.#forget();
      outcome?.reject(error);
    } else if (this.#hasBegun) this.#body?.break(new BrokenAnswerError('cut', codeOf(error)));
    else if (error instanceof errors.ConnectTimeoutError) this.#lose('connect_timeout');
    else this.#lose('network', codeOf(error));
  }

  /** The reader wants more. */
  #onDemand(): void {
    if (!this.#isPaused || this.#isOver) return;
    this.#isPaused = false;
    this.#expectChunk();
    // Last: it may bring a chunk at once, which pauses again and ends the watch.
    this.#controller?.resume();
  }

  #expectChunk(): void {
    const { bodyTimeoutMs } = this.#limits;
    this.#timer = bodyTimeoutMs === undefined ? undefined : setTimeout(() => this.#judgeSilence(), bodyTimeoutMs);
  }

  /** Once the socket was read: where this process did not run for a while, the vendor's bytes wait there and it was not silent. */
  #judgeSilence(): void {
    const bytes = this.#bodyBytes;
    setImmediate(() => {
      if (this.#bodyBytes === bytes && !this.#isOver) this.#body?.break(new BrokenAnswerError('stalled'));
    });
  }

  /** By the caller's signal, or by the deadline before the answer has begun. */
  #interrupt(why: 'deadline' | 'aborted'): void {
    if (this.#hasBegun) {
      this.#body?.break(new BrokenAnswerError('aborted'));
      return;
    }
    this.#lose(why);
    if (this.#connection === undefined) this.#pool.leave(this);
    else this.#hangUp();
  }

  /** Nobody waits for more of the answer: what is still to come ends with its connection. */
  #leave(): void {
    this.#body = undefined;
    this.#forget();
    if (!this.#isOver) this.#hangUp();
  }

  /** With its connection, which is good for nothing else now: undici's own abort would open a new one at once. */
  #hangUp(): void {
    void this.#connection?.destroy();
  }

  /** Without a status line. Only the first word counts. */
  #lose(why: Lost['why'], code?: string): void {
    const outcome = this.#outcome;
    this.#forget();
    const lost = { kind: 'lost', sent: this.#sent, why } as const;
    outcome?.resolve(code === undefined ? lost : { ...lost, code });
  }

  #forget(): void {
    clearTimeout(this.#timer);
    this.#request?.signal.removeEventListener('abort', this.#onAbort);
    this.#request = undefined;
    this.#outcome = undefined;
  }

  #finish(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
    if (this.#connection !== undefined) this.#pool.giveBack(this.#connection);
  }
}

function firstValues(fields: HeaderFields): Record<string, string> {
  const first: Record<string, string> = {};
  for (const name in fields) {
    const value = fields[name];
    const text = Array.isArray(value) ? value[0] : value;
    if (text !== undefined) first[name] = text;
  }
  return first;
}

/** The code alone: an error of a connection names its addresses. A vendor that hangs up has a name of undici's own there. */
function codeOf(error: Error): string | undefined {
  const { code } = error as NodeJS.ErrnoException;
  if (typeof code !== 'string') return undefined;
  return code === 'UND_ERR_SOCKET' ? 'ECONNRESET' : code;
}
