import type { LookupFunction } from 'node:net';
import { buildConnector, Client, type Dispatcher } from 'undici';

/** One connection to one origin, for one exchange at a time. Opened when it is first needed, and anew when it was closed. */
export interface StreamConnection {
  /** What comes is reported to the handler, errors included. */
  dispatch(request: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): void;
  /** For good: an exchange under way breaks off. */
  destroy(): Promise<void>;
  readonly destroyed: boolean;
}

export interface StreamConnectionOptions {
  /** From the first look-up until the connection can carry bytes, TLS included. */
  connectTimeoutMs: number;
  /** An unused connection is closed after this. */
  idleMs: number;
  lookup?: LookupFunction | undefined;
}

export function openStreamConnection(
  origin: string,
  { lookup, ...options }: StreamConnectionOptions,
): StreamConnection {
  const connect = buildConnector({ timeout: options.connectTimeoutMs, allowH2: false, ...(lookup && { lookup }) });
  const client = new Client(origin, {
    connect,
    pipelining: 1,
    keepAliveTimeout: options.idleMs,
    keepAliveMaxTimeout: options.idleMs,
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
