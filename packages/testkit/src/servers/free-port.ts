import { createServer } from 'node:net';

/** Below the ports that systems give to outgoing connections by themselves, any of which could take a free one at any time. */
const FIRST_PORT = 20_000;
const LAST_PORT = 32_767;
/** Processes that look at the same time begin in different places. */
const PLACES = 64;
const PORTS_OF_PLACE = Math.floor((LAST_PORT - FIRST_PORT + 1) / PLACES);
const MAX_TRIES = 1000;

let next = (process.pid % PLACES) * PORTS_OF_PLACE + Math.floor(Math.random() * PORTS_OF_PLACE);

/** A loopback port that nobody listens on now; this process is given another one each time. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const port = FIRST_PORT + (next % (PLACES * PORTS_OF_PLACE));
    next += 1;
    if (await isPortFree(port)) return port;
  }
  throw new Error('No free port on 127.0.0.1.');
}

/** Binds it and lets it go again. */
export function isPortFree(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    const refuse = (error: NodeJS.ErrnoException) => (error.code === 'EADDRINUSE' ? resolve(false) : reject(error));
    server.once('error', refuse).listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
