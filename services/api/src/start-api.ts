import { setTimeout as delay } from 'node:timers/promises';
import type { Scope } from '@mediagate/host';
import type { Queues } from '@mediagate/queue';
import type { Express } from 'express';
import type { ApiOptions, AppOptions } from './api-options';
import { type Application, createApp } from './app';
import { compileAhead } from './compile-ahead';
import { createShutdown } from './http/caller-watch';
import { openApplication } from './open-application';
import type { WaitingTasks } from './open-domains';
import { STATEMENT_TIMEOUT_MS, TEXT_DRAIN_MS } from './request-limits';
import { type ListeningServer, listen } from './server';
import type { Speeches } from './use-cases/speech/speeches';

const REDIS_START_MS = 3_000;
const REDIS_LOOK_MS = 20;
/**
 * Time for settlements after the last answer of a shutdown. A text whose caller left shortly before may be read on for all of
 * `TEXT_DRAIN_MS`, and then needs one try of the statement that settles it. The process does not wait for a database that is away longer.
 */
const SETTLEMENT_DRAIN_MS = TEXT_DRAIN_MS + STATEMENT_TIMEOUT_MS;

export interface RunningApi {
  app: Express;
  /** The port it has; another than asked for when that was 0. */
  port: number;
  /** The operators' port, if they have one of their own. */
  adminPort?: number;
  speeches: Pick<Speeches, 'drain'>;
}

/** The API put together, and listening: what its process runs, and what its tests call. */
export async function startApi(scope: Scope, { config, times = {}, ...options }: ApiOptions): Promise<RunningApi> {
  const shutdown = createShutdown();
  const { application, waits, queues, catalogue } = await openApplication(scope, {
    ...options,
    config,
    times,
    shutdown,
  });
  await waitForRedis(queues, times.redisStartMs);
  const { app, servers, ports } = await serveAll(application, { config, shutdown, times });
  compileAhead(scope, catalogue);
  drainRequests(scope, servers, waits);
  scope.logger.info('api.listening', ports);
  return { app, ...ports, speeches: waits.speeches };
}

function drainRequests(scope: Scope, servers: ListeningServer[], { settlements, speeches }: WaitingTasks): void {
  scope.onDrain('requests', async () => {
    await Promise.all(servers.map(({ drain }) => drain()));
    await settlements.drain(SETTLEMENT_DRAIN_MS);
  });
  scope.onDrain('speeches', () => speeches.drain());
}

/** Waits for Redis: without it speech is refused, and the first callers should not see that. Everything else is served without it. */
async function waitForRedis(queues: Pick<Queues, 'isConnected'>, limitMs = REDIS_START_MS): Promise<void> {
  for (let waitedMs = 0; !queues.isConnected() && waitedMs < limitMs; waitedMs += REDIS_LOOK_MS) {
    await delay(REDIS_LOOK_MS);
  }
}

type ServeOptions = Pick<AppOptions, 'config' | 'times' | 'shutdown'>;

/** Serves operators on a port of their own, if they have one, and nowhere else. */
async function serveAll(application: Application, options: ServeOptions) {
  const { PORT, ADMIN_PORT } = options.config;
  const app = createApp(application, ADMIN_PORT === undefined ? 'everybody' : 'callers');
  const main = await serve(app, PORT, options);
  if (ADMIN_PORT === undefined) return { app, servers: [main], ports: { port: main.port } };
  const admin = await serve(createApp(application, 'operators'), ADMIN_PORT, options);
  return { app, servers: [main, admin], ports: { port: main.port, adminPort: admin.port } };
}

function serve(app: Express, port: number, { config, shutdown, times }: ServeOptions): Promise<ListeningServer> {
  return listen(app, {
    port,
    host: config.HOST,
    shutdown,
    keepAliveMs: config.KEEP_ALIVE_SECONDS * 1000,
    idleTimeoutMs: times.idleTimeoutMs,
    drainTimeoutMs: times.drainTimeoutMs,
    legacyPrefix: config.IMGTOOL_LEGACY_PREFIX,
  });
}
