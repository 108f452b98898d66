import { flushCompileCache } from 'node:module';
import { ConfigError, loadConfig } from './config';
import { startHealthServer } from './health-server';
import { createLife } from './life';
import { createLogger } from './log/logger';
import { letHeapGrow } from './memory/heap-growth';
import { spareMemoryWhenIdle } from './memory/spare-memory';
import { refuseProxies, useEachAddress } from './outgoing';
import { DEFAULT_DRAIN_SECONDS, type Service } from './service';
import { openTracing } from './tracing/start-tracing';
import { tracingSettings } from './tracing/tracing-settings';

/** Settings of every service. */
export const hostSettings = {
  LOG_LEVEL: {
    type: 'string',
    default: 'info',
    oneOf: ['error', 'warn', 'info', 'debug'],
    about: 'error, warn, info or debug',
  },
  LOG_FORMAT: {
    type: 'string',
    default: null,
    oneOf: ['text', 'json'],
    about: 'text or json lines; absent: text on a terminal, else json',
  },
  HEALTH_PORT: { type: 'port', default: null, about: 'port of /healthz, /readyz and /metrics; absent: not served' },
  HEALTH_HOST: { type: 'string', default: '127.0.0.1', about: 'address the health port listens on' },
  DRAIN_SECONDS: {
    type: 'integer',
    default: null,
    min: 1,
    max: 3600,
    about: 'time to finish work in flight on SIGTERM; absent: as the service needs, mostly 25',
  },
  NODE_EXTRA_CA_CERTS: {
    type: 'string',
    default: null,
    about: 'file of certificates of your own authorities in PEM, beside those that Node brings; Node itself reads it',
  },
  CONNECT_DIRECTLY: {
    type: 'boolean',
    default: false,
    about: '1 where HTTPS_PROXY or another is set and services shall connect directly; they do not start otherwise',
  },
  SPARE_MEMORY: {
    type: 'boolean',
    default: false,
    about: '1 collects garbage while the process is idle, for hosts with little memory: pauses of some 60 ms',
  },
  ...tracingSettings,
} as const;

/**
 * The life of a process: `main` of its service opens what it needs and returns once it serves; SIGTERM or SIGINT drains and closes; a
 * second signal, or a drain past its deadline, ends at once. An error that nothing caught and nobody claims (`onStrayError`)
 * is a bug and ends the process, so that whoever supervises it starts a sound one.
 */
export async function run({ name, main, drainSeconds = DEFAULT_DRAIN_SECONDS }: Service): Promise<void> {
  outliveReaders();
  // Before any flag of the engine changes: it takes back no code that was kept under others.
  flushCompileCache();
  letHeapGrow();
  useEachAddress();
  const config = loadOrExit(name);
  const logger = createLogger({ service: name, level: config.LOG_LEVEL, format: config.LOG_FORMAT });
  const life = createLife(logger, (config.DRAIN_SECONDS ?? drainSeconds) * 1000);
  try {
    openTracing(name, life.scope, config);
    if (config.HEALTH_PORT !== undefined) {
      const server = await startHealthServer(config.HEALTH_PORT, config.HEALTH_HOST, life.health);
      life.scope.defer('health server', () => {
        server.closeAllConnections();
        server.close();
      });
    }
    await main(life.scope);
    life.markStarted();
    if (config.SPARE_MEMORY) spareMemoryWhenIdle(life.scope);
    logger.info('process.started');
  } catch (error) {
    // A shutdown may close something under a process that is still starting: no fault, and the shutdown sets the exit code.
    if (life.health.draining()) return;
    if (error instanceof ConfigError) process.stderr.write(`${name}: ${error.message}\n`);
    else logger.error('process.start_failed', { error });
    process.exit(1);
  }
}

/** The reader of the output may be gone while this process has work in flight: an unhandled write error must not end it. */
function outliveReaders(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
}

function loadOrExit(name: string) {
  try {
    const config = loadConfig(hostSettings);
    if (!config.CONNECT_DIRECTLY) refuseProxies(process.env);
    return config;
  } catch (error) {
    process.stderr.write(`${name}: ${(error as Error).message}\n`);
    process.exit(1);
  }
}
