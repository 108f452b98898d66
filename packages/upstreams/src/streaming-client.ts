import { addressOf } from './address';
import type { HeedEnd } from './announced-end';
import { type ExchangeRequest, exchange, type StreamReply } from './exchange';
import { OriginPools } from './origin-pools';
import type { LookupFor } from './stream-connection';

export interface StreamRequest extends ExchangeRequest {
  method: 'GET' | 'POST';
  body?: Buffer;
  bodyTimeoutMs: number;
}

export interface StreamingClientOptions {
  /** Connections at once per vendor origin; further requests wait. */
  maxConnections?: number;
  /** The most of these connections for one owner; the test work of all owners then has a quarter. Default: all. */
  perOwner?: number;
  /** Requests that may wait for a connection to one origin; further ones are refused. */
  maxWaiting?: number;
  /** How long one may wait for a connection, within its own deadline; then it is refused. */
  maxWaitMs?: number;
  /** Vendor origins in use at once; connections to unused ones are closed for them. */
  maxOrigins?: number;
  /** From asking for a connection until it is up, TLS included. */
  connectTimeoutMs?: number;
  lookupFor?: LookupFor | undefined;
  /** Takes what vendors say, beside their answers, of the ends of their models. */
  heed?: HeedEnd | undefined;
}

export interface StreamingClient {
  /** Resolves whatever the vendor or the network does; never redirects, retries, or uses a proxy. */
  send(request: StreamRequest): Promise<StreamReply>;
  heed?: HeedEnd | undefined;
  /** Ends what is under way and closes all connections. Later requests are not sent. */
  close(): Promise<void>;
}

/** An encoding is not asked for, because nobody here undoes one. */
const OWN_HEADERS = { 'user-agent': 'mediagate', 'accept-encoding': 'identity' };

/** The door to the vendors for answers that go on as they come. Connections are kept alive and shared per origin. */
export function createStreamingClient(options: StreamingClientOptions = {}): StreamingClient {
  const { maxConnections = 256, maxWaiting = 1024, maxWaitMs = 10_000 } = options;
  const { maxOrigins = 64, connectTimeoutMs = 10_000, perOwner, lookupFor, heed } = options;
  const pools = new OriginPools({
    maxConnections,
    perOwner,
    maxWaiting,
    maxWaitMs,
    maxOrigins,
    connectTimeoutMs,
    lookupFor,
  });
  return {
    heed,
    async send(request) {
      const pool = pools.of(addressOf(request.url).origin);
      return pool === undefined
        ? { kind: 'lost', sent: false, why: pools.isClosed ? 'aborted' : 'busy' }
        : exchange({ ...request, headers: { ...OWN_HEADERS, ...request.headers } }, pool);
    },
    close: () => pools.close(),
  };
}
