import { createServer } from 'node:http';
import type { Express } from 'express';

/** How long a request may take to arrive, in milliseconds: files of signed-in users pass through to the gateway; all else has less (`app.ts`). */
const REQUEST_TIMEOUT_MS = 600_000;
const HEADERS_TIMEOUT_MS = 10_000;
const KEEP_ALIVE_TIMEOUT_MS = 5_000;
const MAX_CONNECTIONS = 500;
/** Time for requests in flight at a shutdown. */
const DRAIN_TIMEOUT_MS = 5_000;

export interface ListeningServer {
  /** The port it has; another than asked for when that was 0. */
  port: number;
  /** Takes no more connections and lets requests in flight finish. */
  drain(): Promise<void>;
}

/** @throws Error naming the port and its variable when it is taken. */
export async function listen(app: Express, { port, host }: { port: number; host: string }): Promise<ListeningServer> {
  const server = createServer(
    {
      requestTimeout: REQUEST_TIMEOUT_MS,
      headersTimeout: HEADERS_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    },
    app,
  );
  server.maxConnections = MAX_CONNECTIONS;
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(toStartError(error, port)));
    server.listen(port, host, resolve);
  });
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    drain: () =>
      new Promise((resolve) => {
        const cut = setTimeout(() => server.closeAllConnections(), DRAIN_TIMEOUT_MS);
        server.close(() => {
          clearTimeout(cut);
          resolve();
        });
        server.closeIdleConnections();
      }),
  };
}

function toStartError(error: NodeJS.ErrnoException, port: number): Error {
  if (error.code !== 'EADDRINUSE') return error;
  return new Error(`port ${port} is in use: stop what listens there, or set CONSOLE_PORT to another one`);
}
