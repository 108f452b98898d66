import { type ConnectionPool, createConnectionPool } from './connection-pool';
import type { LookupFor } from './look-up';
import { openStreamConnection } from './stream-connection';
import { exchange, type StreamReply, type StreamRequest } from './stream-exchange';

/** As long as the other client keeps its connections, for the same reason: a vendor must not be the first to close. */
const IDLE_MS = 4_000;

export interface StreamingClientOptions {
  /** Connections at once per vendor origin; further requests wait. */
  maxConnections?: number;
  /** Requests that may wait for a connection to one origin; further ones are refused. */
  maxWaiting?: number;
  /** How long one may wait for a connection, within its own deadline; then it is refused. */
  maxWaitMs?: number;
  /** Vendor origins in use at once; connections to unused ones are closed for them. */
  maxOrigins?: number;
  /** From asking for a connection until it is up, TLS included. */
  connectTimeoutMs?: number;
  lookupFor?: LookupFor | undefined;
}

export interface StreamingClient {
  /** Resolves whatever the vendor or the network does; never redirects, retries, or uses a proxy. */
  send(request: StreamRequest): Promise<StreamReply>;
  /** Ends what is under way and closes all connections. Later requests are not sent. */
  close(): Promise<void>;
}

/** The door to the vendors for answers that go on as they come. Connections are kept alive and shared per origin. */
export function createStreamingClient(options: StreamingClientOptions = {}): StreamingClient {
  const { maxConnections = 256, maxWaiting = 1024, maxWaitMs = 10_000 } = options;
  const { maxOrigins = 64, connectTimeoutMs = 10_000, lookupFor } = options;
  const pools = new Map<string, ConnectionPool>();
  let closed = false;

  function poolOf(origin: string): ConnectionPool | undefined {
    const known = pools.get(origin);
    if (known !== undefined || closed || !hasSlot()) return known;
    const open = () => openStreamConnection(origin, { connectTimeoutMs, idleMs: IDLE_MS, lookup: lookupFor?.(origin) });
    const pool = createConnectionPool(open, { maxConnections, maxWaiting, maxWaitMs });
    pools.set(origin, pool);
    return pool;
  }

  function hasSlot(): boolean {
    if (pools.size < maxOrigins) return true;
    const unused = [...pools].find(([, pool]) => pool.isIdle());
    if (unused === undefined) return false;
    pools.delete(unused[0]);
    void unused[1].close();
    return true;
  }

  return {
    async send(request) {
      const pool = poolOf(new URL(request.url).origin);
      const headers = { 'user-agent': 'mediagate', 'accept-encoding': 'identity', ...request.headers };
      return pool === undefined
        ? { kind: 'lost', sent: false, why: closed ? 'aborted' : 'busy' }
        : exchange({ ...request, headers }, pool);
    },
    async close() {
      closed = true;
      const open = [...pools.values()];
      pools.clear();
      await Promise.all(open.map((pool) => pool.close()));
    },
  };
}
