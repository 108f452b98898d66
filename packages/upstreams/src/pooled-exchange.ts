import { NOBODY, type Owner } from '@mediagate/contracts';
import { type Dispatcher, errors } from 'undici';
import { addressOf } from './address';
import type { ConnectionPool, Waiter } from './connection-pool';
import type { Lost } from './lost';
import type { StreamConnection } from './stream-connection';

export interface PooledRequest {
  method: Dispatcher.HttpMethod;
  url: string;
  headers: Record<string, string>;
  /** Absent: none. */
  body?: Dispatcher.DispatchOptions['body'];
  /** The owner whose share of the connections the request takes; absent: nobody. */
  owner?: Owner | undefined;
  /** The caller's wish to stop, at any moment: before the answer, or in the middle of it. */
  signal: AbortSignal;
  /** Called when the request goes out: from then on the vendor may be working on it. */
  onSent?: (() => void) | undefined;
}

export interface Outcome<Answered> {
  resolve(reply: Answered | Lost): void;
  /** Only for bugs of the caller. */
  reject(error: unknown): void;
}

export interface ExchangeParts<Answered> {
  pool: ConnectionPool;
  outcome: Outcome<Answered>;
}

export type HeaderFields = Record<string, string | string[] | undefined>;

/**
 * One request by a connection of the pool, and what becomes of it until its answer begins: whether it was sent, and why there is
 * none. What becomes of the answer's body is for those who extend it.
 */
export abstract class PooledExchange<Answered> implements Waiter, Dispatcher.DispatchHandler {
  readonly owner: Owner;
  readonly #pool: ConnectionPool;
  readonly #timeoutMs: number;
  /** Absent once nobody waits for it: the connection keeps its last exchange, and would keep all that the request refers to with it. */
  #request: PooledRequest | undefined;
  #outcome: Outcome<Answered> | undefined;
  readonly #onAbort = () => this.#interrupt('aborted');
  #connection: StreamConnection | undefined;
  #controller: Dispatcher.DispatchController | undefined;
  /** The connection is up and the request goes out. Before that the vendor cannot have seen anything of it. */
  #sent = false;
  #timer: NodeJS.Timeout | undefined;
  /** The vendor's side has ended: the answer is complete, or has broken off. */
  #over = false;

  /** @param timeoutMs to the vendor's status line at the latest, waiting for a free connection included. */
  constructor(request: PooledRequest, timeoutMs: number, { pool, outcome }: ExchangeParts<Answered>) {
    this.owner = request.owner ?? NOBODY;
    this.#request = request;
    this.#timeoutMs = timeoutMs;
    this.#pool = pool;
    this.#outcome = outcome;
  }

  begin(): void {
    if (this.#request === undefined) return;
    const { signal } = this.#request;
    if (signal.aborted) {
      this.#lose('aborted');
      return;
    }
    signal.addEventListener('abort', this.#onAbort, { once: true });
    this.#timer = setTimeout(() => this.#interrupt('deadline'), this.#timeoutMs);
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

  onResponseStart(_: unknown, status: number, headers: HeaderFields): void {
    if (status >= 200) this.answerBegins(status, headers);
  }

  onResponseData(_: unknown, chunk: Buffer): void {
    this.chunkArrives(chunk);
  }

  onResponseEnd(): void {
    this.#finish();
    this.answerEnds();
  }

  onResponseError(_: unknown, error: Error): void {
    const hadBegun = this.hasBegun();
    this.#finish();
    if (error instanceof errors.InvalidArgumentError) {
      // A bug of ours, as a header that there cannot be.
      const outcome = this.#outcome;
      this.#forget();
      outcome?.reject(error);
    } else if (hadBegun) this.answerBreaks(codeOf(error));
    else if (error instanceof errors.ConnectTimeoutError) this.#lose('connect_timeout');
    else this.#lose('network', codeOf(error));
  }

  /** The status line has come. */
  protected abstract answerBegins(status: number, fields: HeaderFields): void;
  protected abstract hasBegun(): boolean;
  protected abstract chunkArrives(chunk: Buffer): void;
  protected abstract answerEnds(): void;
  /** It had begun. `code`: the system's error code. */
  protected abstract answerBreaks(code: string | undefined): void;
  /** The caller's signal, or the deadline where `stopClock` was not called, after the answer has begun. */
  protected abstract answerInterrupted(why: 'deadline' | 'aborted'): void;

  protected answer(reply: Answered): void {
    this.#outcome?.resolve(reply);
    this.#outcome = undefined;
  }

  protected get controller(): Dispatcher.DispatchController | undefined {
    return this.#controller;
  }

  protected get isOver(): boolean {
    return this.#over;
  }

  /** From now on no deadline but one's own. */
  protected stopClock(): void {
    clearTimeout(this.#timer);
  }

  /** Nobody waits for more of the answer: what is still to come ends with its connection. */
  protected leave(): void {
    this.#forget();
    if (!this.#over) this.#hangUp();
  }

  #interrupt(why: 'deadline' | 'aborted'): void {
    if (this.hasBegun()) {
      this.answerInterrupted(why);
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
    this.#over = true;
    clearTimeout(this.#timer);
    if (this.#connection === undefined) return;
    this.#pool.giveBack(this.#connection);
  }
}

/** The code alone: an error of a connection names its addresses. A vendor that hangs up has a name of undici's own there. */
function codeOf(error: Error): string | undefined {
  const { code } = error as NodeJS.ErrnoException;
  if (typeof code !== 'string') return undefined;
  return code === 'UND_ERR_SOCKET' ? 'ECONNRESET' : code;
}
