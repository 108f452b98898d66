import { connect, createServer, type Socket } from 'node:net';
import { createTestDatabase } from '@mediagate/testkit';
import { type DatabaseOptions, openDatabase } from '../src';

/** Between the default limit for a connection to open and the one that the API has. */
const OPENS_AFTER_MS = 2000;

/** A way to the server that takes connections at once, and passes nothing on before `OPENS_AFTER_MS`, as a busy machine does. */
async function openSlowWay(databaseUrl: string) {
  const url = new URL(databaseUrl);
  const { port, hostname } = url;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    const behind = connect(Number(port), hostname);
    for (const each of [socket, behind]) sockets.add(each.on('error', () => undefined));
    setTimeout(() => socket.pipe(behind).pipe(socket), OPENS_AFTER_MS).unref();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url.host = `127.0.0.1:${(server.address() as { port: number }).port}`;
  const close = async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  };
  return { url: url.href, close };
}

it('a statement waits for a connection that opens slowly as long as its process says', async () => {
  const { databaseUrl, drop } = await createTestDatabase();
  const way = await openSlowWay(databaseUrl);
  const ping = async (limits: Pick<DatabaseOptions, 'connectTimeoutMs'>) => {
    const options = { url: way.url, poolSize: 1, statementTimeoutMs: 60_000, applicationName: 'test', ...limits };
    const database = openDatabase(options);
    return database.ping().finally(() => database.close());
  };
  await expect(ping({})).rejects.toThrow('unavailable');
  await expect(ping({ connectTimeoutMs: 60_000 })).resolves.toBeUndefined();
  await way.close();
  await drop();
});
