import { connect, createServer, type Socket } from 'node:net';
import { createTestDatabase } from '@mediagate/testkit';
import { openDatabase } from '../src';

/** A busy machine takes seconds to open a connection. */
const OPENS_AFTER_MS = 2000;

/** A way to the server that takes connections at once, and passes nothing on before `opensAfterMs`. */
async function openWay(databaseUrl: string, opensAfterMs: number) {
  const url = new URL(databaseUrl);
  const { port, hostname } = url;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    const behind = connect(Number(port), hostname);
    for (const each of [socket, behind]) sockets.add(each.on('error', () => undefined));
    setTimeout(() => socket.pipe(behind).pipe(socket), opensAfterMs).unref();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url.host = `127.0.0.1:${(server.address() as { port: number }).port}`;
  return {
    url: url.href,
    /** Open connections stay open and bring nothing any more; new ones are good. */
    hang() {
      for (const socket of sockets) socket.unpipe().pause();
    },
    close() {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

async function openWorld(opensAfterMs: number, limits: { poolSize: number; statementTimeoutMs: number }) {
  const { databaseUrl, drop } = await createTestDatabase();
  const way = await openWay(databaseUrl, opensAfterMs);
  const database = openDatabase({ url: way.url, applicationName: 'test', ...limits });
  async function close(): Promise<void> {
    await database.close();
    await way.close();
    await drop();
  }
  return { database, way, close };
}

it('a statement waits for a connection that opens slowly', async () => {
  const { database, close } = await openWorld(OPENS_AFTER_MS, { poolSize: 1, statementTimeoutMs: 60_000 });
  await expect(database.ping()).resolves.toBeUndefined();
  await close();
});

it('where every connection hangs one statement fails, and the next opens a new one', async () => {
  const { database, way, close } = await openWorld(0, { poolSize: 3, statementTimeoutMs: 1000 });
  await Promise.all([1, 2, 3].map(() => database.ping()));
  way.hang();
  await expect(database.ping()).rejects.toThrow('unavailable');
  await expect(database.ping()).resolves.toBeUndefined();
  await close();
});
