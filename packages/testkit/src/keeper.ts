import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { firstGiven } from './environment';
import type { KeeperMessage } from './global-setup';
import { claimRunDirectory } from './run-directory';
import { ensureRedis, freePort, startRedis } from './servers';
import { createTestPostgres } from './test-postgres';

/**
 * Keeps the servers of one test run: Redis from the start, PostgreSQL from the first test that asks for it, so that a run
 * of unit tests does not wait for it. Ends with the run: see `global-setup.ts`.
 */
async function keep(): Promise<void> {
  const run = await claimRunDirectory();
  const redis = await openRedis(run.redis);
  const postgres = createTestPostgres(run.postgres);

  const server = createServer((_request, response) => {
    postgres.open().then(
      (answer) => response.end(JSON.stringify(answer)),
      (error: Error) => response.writeHead(500).end(describe(error)),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  process.once('disconnect', () => {
    server.close();
    server.closeAllConnections();
    void Promise.allSettled([postgres.close(), redis.stop()])
      .then(() => run.release())
      .then(() => process.exit());
  });
  tell({ keeperUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, redisUrl: redis.url });
}

async function openRedis(directory: string): Promise<{ url: string; stop(): Promise<void> }> {
  const given = firstGiven('TEST_REDIS_URL', 'REDIS_URL');
  if (given !== undefined) return { url: given, stop: async () => undefined };
  const program = await ensureRedis((line) => process.stderr.write(`${line}\n`));
  return startRedis({ program, directory, port: await freePort(), durable: false });
}

function tell(message: KeeperMessage): void {
  process.send?.(message);
}

function describe(error: Error): string {
  return error.cause instanceof Error ? `${error.message}\n${error.cause.message}` : error.message;
}

keep().catch((error: Error) => {
  tell({ failure: describe(error) });
  process.exitCode = 1;
  process.disconnect();
});
