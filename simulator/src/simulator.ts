import { once } from 'node:events';
import { createServer } from 'node:http';
import { createSimulator, type SimulatorOptions } from './app';

export interface RunningSimulator {
  /** `http://127.0.0.1:9900`, without a slash at the end. */
  url: string;
  /** Stops taking calls, lets running ones end, cuts what is left after the drain time. */
  close(): Promise<void>;
}

export interface StartOptions extends SimulatorOptions {
  /** 0 or absent takes a free one. */
  port?: number;
  host?: string;
}

const DRAIN_MS = 3_000;
/** Longer than the keep-alive of any client's pool, so that no client writes into a connection being closed. */
const KEEP_ALIVE_MS = 75_000;

/** Starts the simulator on a port of its own; throws when the port is taken. */
export async function startSimulator({
  port = 0,
  host = '127.0.0.1',
  ...options
}: StartOptions): Promise<RunningSimulator> {
  const { app, release, clearUp } = createSimulator(options);
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, app);
  server.listen(port, host);
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server listens on no port');

  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`,
    async close() {
      release();
      const cut = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
      // Closes idle connections too; a busy one closes when its answer is out.
      server.close();
      await once(server, 'close');
      clearTimeout(cut);
      await clearUp();
    },
  };
}
