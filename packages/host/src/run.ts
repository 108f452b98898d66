import { collectDefaultMetrics, Registry } from 'prom-client';
import { ConfigError, loadConfig } from './config';
import { type HealthState, startHealthServer } from './health-server';
import { createLogger, type Logger } from './logger';
import type { Scope } from './scope';

/** Settings of every service. */
export const hostSettings = {
  LOG_LEVEL: { type: 'string', default: 'info', about: 'error, warn, info or debug' },
  HEALTH_PORT: { type: 'port', default: null, about: 'port of /healthz, /readyz and /metrics; absent: not served' },
  HEALTH_HOST: { type: 'string', default: '127.0.0.1', about: 'address the health port listens on' },
  DRAIN_SECONDS: { type: 'integer', default: 25, min: 1, max: 3600, about: 'time to finish work in hand on SIGTERM' },
} as const;

const CLOSE_TIMEOUT_MS = 5000;

/**
 * The life of a process: `main` opens what it needs and returns once it serves; SIGTERM or SIGINT drains and closes; a
 * second signal, or a drain past its deadline, ends at once. An unhandled rejection is a bug and ends the process, so that
 * whoever supervises it starts a sound one.
 */
export async function run(name: string, main: (scope: Scope) => Promise<void>): Promise<void> {
  const bootLogger = createLogger({ service: name, level: 'info' });
  try {
    const config = loadConfig(hostSettings);
    const logger = createLogger({ service: name, level: config.LOG_LEVEL });
    const life = createLife(logger, config.DRAIN_SECONDS * 1000);
    if (config.HEALTH_PORT !== undefined) {
      const server = await startHealthServer(config.HEALTH_PORT, config.HEALTH_HOST, life.health);
      life.scope.defer('health server', () => {
        server.closeAllConnections();
        server.close();
      });
    }
    await main(life.scope);
    life.markStarted();
    logger.info('process.started');
  } catch (error) {
    if (error instanceof ConfigError) process.stderr.write(`${name}: ${error.message}\n`);
    else bootLogger.error('process.start_failed', { error });
    process.exit(1);
  }
}

function createLife(logger: Logger, drainMs: number) {
  const drains: { name: string; run: () => Promise<void> | void }[] = [];
  const closers: { name: string; run: () => Promise<void> | void }[] = [];
  const checks = new Map<string, () => Promise<void>>();
  const metrics = new Registry();
  collectDefaultMetrics({ register: metrics });
  let started = false;
  let draining = false;

  async function end(reason: string, exitCode: number): Promise<void> {
    if (draining) {
      logger.warn('process.ended_at_once', { reason });
      process.exit(exitCode === 0 ? 130 : exitCode);
    }
    draining = true;
    logger.info('process.draining', { reason });
    let code = exitCode;
    const drained = await withinTime(Promise.all(drains.map((drain) => attempt(logger, drain))), drainMs);
    if (!drained) {
      logger.warn('process.drain_cut', { durationMs: drainMs });
      code = code === 0 ? 1 : code;
    }
    for (const closer of closers.reverse()) {
      if (!(await withinTime(attempt(logger, closer), CLOSE_TIMEOUT_MS))) {
        logger.warn('process.close_cut', { reason: closer.name });
      }
    }
    logger.info('process.ended', { status: code });
    process.exit(code);
  }

  process.on('SIGTERM', () => void end('SIGTERM', 0));
  process.on('SIGINT', () => void end('SIGINT', 0));
  process.on('unhandledRejection', (error) => {
    logger.error('process.unhandled_rejection', { error });
    process.exit(1);
  });
  process.on('uncaughtException', (error) => {
    logger.error('process.uncaught_exception', { error });
    process.exit(1);
  });

  const scope: Scope = {
    logger,
    metrics,
    addReadinessCheck: (name, check) => void checks.set(name, check),
    onDrain: (name, drain) => void drains.push({ name, run: drain }),
    defer: (name, close) => void closers.push({ name, run: close }),
    shutDown: (reason, exitCode = 0) => void end(reason, exitCode),
  };
  const health: HealthState = { checks, metrics, started: () => started, draining: () => draining };
  return {
    scope,
    health,
    markStarted: () => {
      started = true;
    },
  };
}

async function attempt(logger: Logger, step: { name: string; run: () => Promise<void> | void }): Promise<void> {
  try {
    await step.run();
  } catch (error) {
    logger.error('process.close_failed', { reason: step.name, error });
  }
}

/** False when the time ran out first; the work goes on unwatched and ends with the process. */
async function withinTime(work: Promise<unknown>, limitMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), limitMs);
  });
  const inTime = await Promise.race([work.then(() => true as const), limit]);
  clearTimeout(timer);
  return inTime;
}
