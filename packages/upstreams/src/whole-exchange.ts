import type { ConnectionPool } from './connection-pool';
import type { FileBody, Interruption, UnreadBody } from './json-body';
import type { Lost } from './lost';
import { type HeaderFields, type Outcome, PooledExchange, type PooledRequest } from './pooled-exchange';

export interface WholeRequest extends PooledRequest {
  /** From the first step to the last byte of the answer; a slow drip does not extend it. */
  timeoutMs: number;
  /** The largest body of an answer under this status, as it comes over the wire. */
  maxBytes(status: number): number;
}

/** The status line arrived. */
export interface WholeAnswer {
  kind: 'answer';
  status: number;
  /** Lower-case names, each with its first value. */
  headers: Record<string, string>;
  /** The bytes as they came, or why they are not whole. */
  body: FileBody | UnreadBody;
}

/** One request by a connection of the pool, whose answer is wanted whole, in memory. */
export function exchangeWhole(request: WholeRequest, pool: ConnectionPool): Promise<WholeAnswer | Lost> {
  return new Promise((resolve, reject) => {
    new WholeExchange(request, pool, { resolve, reject }).begin();
  });
}

class WholeExchange extends PooledExchange<WholeAnswer> {
  readonly #maxBytes: WholeRequest['maxBytes'];
  #head: { status: number; headers: Record<string, string>; maxBytes: number } | undefined;
  #chunks: Buffer[] = [];
  #bytes = 0;

  constructor(request: WholeRequest, pool: ConnectionPool, outcome: Outcome<WholeAnswer>) {
    super(request, request.timeoutMs, { pool, outcome });
    this.#maxBytes = request.maxBytes;
  }

  protected override hasBegun(): boolean {
    return this.#head !== undefined;
  }

  protected override answerBegins(status: number, fields: HeaderFields): void {
    this.#head = { status, headers: firstValues(fields), maxBytes: this.#maxBytes(status) };
  }

  protected override chunkArrives(chunk: Buffer): void {
    if (this.#head === undefined) return;
    this.#bytes += chunk.length;
    if (this.#bytes > this.#head.maxBytes) this.#conclude({ kind: 'unreadable', why: 'too_large' });
    else this.#chunks.push(chunk);
  }

  protected override answerEnds(): void {
    const [first = NO_BYTES] = this.#chunks;
    const bytes = this.#chunks.length > 1 ? Buffer.concat(this.#chunks) : first;
    this.#conclude({ kind: 'file', bytes });
  }

  protected override answerBreaks(): void {
    this.#conclude({ kind: 'unreadable', why: 'truncated' });
  }

  protected override answerInterrupted(why: Interruption): void {
    this.#conclude({ kind: 'unreadable', why });
  }

  /** Only the first word counts: of an answer that was left, more may still come. */
  #conclude(body: WholeAnswer['body']): void {
    this.#chunks = [];
    if (this.#head !== undefined) this.answer({ kind: 'answer', ...this.#head, body });
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
