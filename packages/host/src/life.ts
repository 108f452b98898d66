import { collectDefaultMetrics } from 'prom-client';
import type { HealthState } from './health-server';
import type { Logger } from './log/logger';
import { ProcessScope, withinTime } from './process-scope';

/** Holds what a process has opened, and ends it. Listens to signals from the start, so that none ends the process by default. */
export function createLife(logger: Logger, drainMs: number) {
  const scope = new ProcessScope(logger);
  collectDefaultMetrics({ register: scope.metrics });
  let started = false;
  let draining = false;

  async function end(reason: string): Promise<void> {
    if (draining) {
      logger.warn('process.ended_at_once', { reason });
      process.exit(130);
    }
    draining = true;
    logger.info('process.draining', { reason });
    const drained = await withinTime(scope.drain(), drainMs);
    if (!drained) logger.warn('process.drain_cut', { durationMs: drainMs });
    await scope.close();
    const code = drained ? 0 : 1;
    logger.info('process.ended', { status: code });
    process.exit(code);
  }

  function fail(event: string, error: unknown): void {
    if (scope.claims(error)) return;
    logger.error(event, { error });
    process.exit(1);
  }

  process.on('SIGTERM', () => void end('SIGTERM'));
  process.on('SIGINT', () => void end('SIGINT'));
  process.on('SIGHUP', () => scope.reload());
  process.on('unhandledRejection', (error) => fail('process.unhandled_rejection', error));
  process.on('uncaughtException', (error) => fail('process.uncaught_exception', error));

  const health: HealthState = { scope, started: () => started, draining: () => draining };
  return {
    scope,
    health,
    markStarted: () => {
      started = true;
    },
  };
}
