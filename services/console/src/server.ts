import { createServer, type Server } from 'node:http';
import { drainServer, listenAt } from '@mediagate/host';
import type { Express } from 'express';
import { networkOf } from './http/network';

/**
 * How long a request may take to arrive, in milliseconds: the largest file at the least pace of the gateway, to which files of signed-in
 * users pass through; all else has less (`app.ts`).
 */
const REQUEST_TIMEOUT_MS = 7_200_000;
/** Counts from the first byte of a request, so a kept connection may idle for longer. */
const HEADERS_TIMEOUT_MS = 10_000;
const MAX_CONNECTIONS = 500;
/** Connections of one address, or one IPv6 network: a browser opens some six, and an office has many browsers behind one address. */
const MAX_CONNECTIONS_OF_NETWORK = 100;
/** Time for requests in flight at a shutdown. */
const DRAIN_TIMEOUT_MS = 5_000;

export interface ListeningServer {
  /** The port it has; another than asked for when that was 0. */
  port: number;
  /** Takes no more connections and lets requests in flight finish. */
  drain(): Promise<void>;
}

/** @throws Error naming the port and its variable when it is taken. */
export async function listen(
  app: Express,
  {
    port,
    host,
    keepAliveMs,
    isBehindProxy,
  }: { port: number; host: string; keepAliveMs: number; isBehindProxy: boolean },
): Promise<ListeningServer> {
  const server = createServer(
    {
      requestTimeout: REQUEST_TIMEOUT_MS,
      headersTimeout: HEADERS_TIMEOUT_MS,
      keepAliveTimeout: keepAliveMs,
    },
    app,
  );
  server.maxConnections = MAX_CONNECTIONS;
  // A proxy has all browsers' connections, and limits of its own.
  if (!isBehindProxy) limitNetworks(server);
  return {
    port: await listenAt(server, { port, host, variable: 'CONSOLE_PORT' }),
    drain: () => drainServer(server, { timeoutMs: DRAIN_TIMEOUT_MS, cut: () => server.closeAllConnections() }),
  };
}

/** No address alone can use up all connections. */
function limitNetworks(server: Server): void {
  const open = new Map<string, number>();
  server.on('connection', (socket) => {
    const network = networkOf(socket.remoteAddress ?? '');
    const count = (open.get(network) ?? 0) + 1;
    if (count > MAX_CONNECTIONS_OF_NETWORK) {
      socket.destroy();
      return;
    }
    open.set(network, count);
    socket.once('close', () => {
      const left = (open.get(network) ?? 1) - 1;
      if (left > 0) open.set(network, left);
      else open.delete(network);
    });
  });
}
