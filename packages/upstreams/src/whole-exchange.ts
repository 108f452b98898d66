import { setImmediate } from 'node:timers/promises';
import type { AnswerReader } from './answer-files';
import type { ConnectionPool } from './connection-pool';
import type { BytesBody, FileBody, Interruption, JsonBody } from './json-body';
import type { Lost } from './lost';
import { type HeaderFields, type Outcome, PooledExchange, type PooledRequest } from './pooled-exchange';

export interface WholeRequest extends PooledRequest {
  /** From the first step to the last byte of the answer; a slow drip does not extend it. */
  timeoutMs: number;
  /** The largest body of an answer under this status, as it comes over the wire. */
  maxBytes(status: number): number;
  /** Reads such an answer as it comes; undefined: it is kept in memory. */
  readerFor?(status: number, headers: Record<string, string>): AnswerReader | undefined;
}

/** The status line arrived. */
export interface WholeAnswer {
  kind: 'answer';
  status: number;
  /** Lower-case names, each with its first value. */
  headers: Record<string, string>;
  /** The body as a reader made it, the bytes as they came where there is no reader, or why they are not whole. */
  body: BytesBody | FileBody | JsonBody;
}

/** One request by a connection of the pool, whose answer is wanted whole: in memory, or as its reader keeps it. */
export function exchangeWhole(request: WholeRequest, pool: ConnectionPool): Promise<WholeAnswer | Lost> {
  return new Promise((resolve, reject) => {
    new WholeExchange(request, pool, { resolve, reject }).begin();
  });
}

/** Bytes of one answer that are decoded at once: a socket hands over megabytes in one turn of the event loop, some 5 ms each. */
const TURN_BYTES = 128 * 1024;
let lastTurn: Promise<void> = Promise.resolve();

/** One answer goes on in a turn of the event loop, however many come in. */
function nextTurn(): Promise<void> {
  lastTurn = lastTurn.then(() => setImmediate());
  return lastTurn;
}

interface Head {
  status: number;
  headers: Record<string, string>;
  maxBytes: number;
  reader: AnswerReader | undefined;
}

class WholeExchange extends PooledExchange<WholeAnswer> {
  readonly #request: Pick<WholeRequest, 'maxBytes' | 'readerFor'>;
  #head: Head | undefined;
  #chunks: Buffer[] = [];
  #bytes = 0;
  #isPaused = false;
  /** Bytes read without a pause. */
  #sinceOthers = 0;

  constructor(request: WholeRequest, pool: ConnectionPool, outcome: Outcome<WholeAnswer>) {
    super(request, request.timeoutMs, { pool, outcome });
    this.#request = request;
  }

  protected override hasBegun(): boolean {
    return this.#head !== undefined;
  }

  protected override answerBegins(status: number, fields: HeaderFields): void {
    const headers = firstValues(fields);
    const { maxBytes, readerFor } = this.#request;
    this.#head = { status, headers, maxBytes: maxBytes(status), reader: readerFor?.(status, headers) };
  }

  protected override chunkArrives(chunk: Buffer): void {
    if (this.#head === undefined) return;
    this.#bytes += chunk.length;
    if (this.#bytes > this.#head.maxBytes) this.#conclude({ kind: 'unreadable', why: 'too_large' });
    else if (this.#head.reader === undefined) this.#chunks.push(chunk);
    else this.#pass(chunk, this.#head.reader);
  }

  protected override answerEnds(): void {
    const reader = this.#head?.reader;
    if (reader !== undefined) {
      void reader.end().then((body) => this.#conclude(body));
      return;
    }
    const [first = NO_BYTES] = this.#chunks;
    const bytes = this.#chunks.length > 1 ? Buffer.concat(this.#chunks) : first;
    this.#conclude({ kind: 'bytes', bytes });
  }

  protected override answerBreaks(): void {
    this.#conclude({ kind: 'unreadable', why: 'truncated' });
  }

  protected override answerInterrupted(why: Interruption): void {
    this.#conclude({ kind: 'unreadable', why });
  }

  /** The vendor waits while the disk is behind, and others have their turn between the pieces of a fast answer. */
  #pass(chunk: Buffer, reader: AnswerReader): void {
    reader.push(chunk);
    this.#sinceOthers += chunk.length;
    const pause = reader.backlog() ?? (this.#sinceOthers > TURN_BYTES ? nextTurn() : undefined);
    if (pause === undefined || this.#isPaused) return;
    this.#isPaused = true;
    this.controller?.pause();
    void pause.then(() => {
      this.#isPaused = false;
      this.#sinceOthers = 0;
      if (!this.isOver) this.controller?.resume();
    });
  }

  /** Only the first word counts: of an answer that was left, more may still come. */
  #conclude(body: WholeAnswer['body']): void {
    const head = this.#head;
    this.#chunks = [];
    this.#head = undefined;
    head?.reader?.close();
    if (head !== undefined) this.answer({ kind: 'answer', status: head.status, headers: head.headers, body });
    this.leave();
  }
}

const NO_BYTES = Buffer.alloc(0);

function firstValues(fields: HeaderFields): Record<string, string> {
  const first: Record<string, string> = {};
  for (const [name, value] of Object.entries(fields)) {
    const text = typeof value === 'string' ? value : value?.[0];
    if (text !== undefined) first[name] = text;
  }
  return first;
}
