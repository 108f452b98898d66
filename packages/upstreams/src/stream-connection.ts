import { lookup } from 'node:dns';
import type { LookupFunction, Socket } from 'node:net';
import { buildConnector, Client, type Dispatcher } from 'undici';

/** One connection to one origin, for one exchange at a time. Opened when it is first needed, and anew when it was closed. */
export interface StreamConnection {
  /** Reports everything that comes to the handler, errors included. */
  dispatch(request: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): void;
  /** For good: an exchange under way breaks off. */
  destroy(): Promise<void>;
  readonly destroyed: boolean;
}

export interface StreamConnectionOptions {
  connect: buildConnector.connector;
  /** An unused connection is closed after this. */
  idleMs: number;
}

export function openStreamConnection(origin: string, { connect, idleMs }: StreamConnectionOptions): StreamConnection {
  const client = new Client(origin, {
    connect,
    pipelining: 1,
    keepAliveTimeout: idleMs,
    keepAliveMaxTimeout: idleMs,
    // The exchange has its own clocks: these would not see the wait for a connection, and would take a paused one for silent.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  return {
    dispatch: (request, handler) => void client.dispatch(request, handler),
    destroy: () => client.destroy(),
    get destroyed() {
      return client.destroyed;
    },
  };
}

export interface ConnectorOptions {
  /** From the first look-up until the connection can carry bytes, TLS included. */
  connectTimeoutMs: number;
  lookupFor?: LookupFor | undefined;
}

/**
 * Opens the connections of one origin. Each resumes the last one's TLS session: jobs are asked about less often than connections
 * are kept, and a whole handshake costs a round trip and a millisecond. undici's own memory of sessions lasts until the next
 * collection of garbage.
 */
export function vendorConnector(
  origin: string,
  { connectTimeoutMs, lookupFor }: ConnectorOptions,
): buildConnector.connector {
  let session: Buffer | undefined;
  const options: buildConnector.BuildOptions = {
    timeout: connectTimeoutMs,
    allowH2: false,
    lookup: (hostname, wanted, done) => (lookupFor?.(origin) ?? lookup)(hostname, wanted, done),
  };
  return (target, callback) => {
    const connect = buildConnector({ ...options, ...(session && { session }) });
    // It answers with the socket, which its type leaves out.
    const socket: unknown = connect(target, callback);
    (socket as Socket).on('session', (latest: Buffer) => {
      session = latest;
    });
  };
}

/** How the host of an origin is looked up for a connection; undefined: by the system. */
export type LookupFor = (origin: string) => LookupFunction | undefined;
