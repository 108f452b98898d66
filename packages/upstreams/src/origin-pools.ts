import { addressOf } from './address';
import { ConnectionPool, type ConnectionPoolLimits } from './connection-pool';
import { type ExchangeRequest, exchange, type StreamReply } from './exchange';
import { type LookupFor, openStreamConnection, vendorConnector } from './stream-connection';

/**
 * A vendor that closes an idle connection as the next request goes out leaves that request's fate unknown, and paid
 * work cannot be sent twice. Common servers and balancers close after 5 s or more, so ours are given up before that.
 */
const IDLE_MS = 4_000;

export interface OriginPoolsOptions extends Omit<ConnectionPoolLimits, 'idleMs'> {
  /** Origins in use at once; connections to unused ones are closed for them. */
  maxOrigins: number;
  /** From asking for a connection until it is up, TLS included. */
  connectTimeoutMs: number;
  lookupFor?: LookupFor | undefined;
}

/** Connections to vendors that are kept alive, a pool an origin. */
export class OriginPools {
  readonly #options: OriginPoolsOptions;
  readonly #pools = new Map<string, ConnectionPool>();
  #closed = false;

  constructor(options: OriginPoolsOptions) {
    this.#options = options;
  }

  /** Not sent where all origins that there may be are in use, or the pools are closed. */
  send(request: ExchangeRequest): Promise<StreamReply> {
    const pool = this.#of(addressOf(request.url).origin);
    if (pool !== undefined) return exchange(request, pool);
    return Promise.resolve({ kind: 'lost', sent: false, why: this.#closed ? 'aborted' : 'busy' });
  }

  #of(origin: string): ConnectionPool | undefined {
    const known = this.#pools.get(origin);
    if (known !== undefined || this.#closed || !this.#hasSlot()) return known;
    const connect = vendorConnector(origin, this.#options);
    const limits = { ...this.#options, idleMs: IDLE_MS };
    const pool = new ConnectionPool(() => openStreamConnection(origin, { connect, idleMs: IDLE_MS }), limits);
    this.#pools.set(origin, pool);
    return pool;
  }

  /** Ends what is under way; refuses who waits. */
  async close(): Promise<void> {
    this.#closed = true;
    const open = [...this.#pools.values()];
    this.#pools.clear();
    await Promise.all(open.map((pool) => pool.close()));
  }

  #hasSlot(): boolean {
    if (this.#pools.size < this.#options.maxOrigins) return true;
    const unused = [...this.#pools].find(([, pool]) => pool.isIdle());
    if (unused === undefined) return false;
    this.#pools.delete(unused[0]);
    void unused[1].close();
    return true;
  }
}
