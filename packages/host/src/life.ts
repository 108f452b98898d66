import { collectDefaultMetrics, Registry } from 'prom-client';
import type { HealthState } from './health-server';
import type { Logger } from './logger';
import type { Scope } from './scope';

const CLOSE_TIMEOUT_MS = 5000;

interface Step {
  name: string;
  run(): Promise<void> | void;
}

/** What a process holds and how it ends. Listens to signals from the start, so that none ends it by default. */
export function createLife(logger: Logger, drainMs: number) {
  const drains: Step[] = [];
  const closers: Step[] = [];
  const reloads: { name: string; run: Parameters<Scope['onReload']>[1] }[] = [];
  const claims: ((error: unknown) => boolean)[] = [];
  const checks = new Map<string, () => Promise<void>>();
  const metrics = new Registry();
  collectDefaultMetrics({ register: metrics });
  let started = false;
  let draining = false;

  async function end(reason: string): Promise<void> {
    if (draining) {
      logger.warn('process.ended_at_once', { reason });
      process.exit(130);
    }
    draining = true;
    logger.info('process.draining', { reason });
    const drained = await withinTime(Promise.all(drains.map((drain) => attempt(logger, drain))), drainMs);
    if (!drained) logger.warn('process.drain_cut', { durationMs: drainMs });
    for (const closer of closers.toReversed()) {
      if (!(await withinTime(attempt(logger, closer), CLOSE_TIMEOUT_MS))) {
        logger.warn('process.close_cut', { reason: closer.name });
      }
    }
    const code = drained ? 0 : 1;
    logger.info('process.ended', { status: code });
    process.exit(code);
  }

  function reload(): void {
    if (reloads.length === 0) logger.info('settings.nothing_to_reload');
    for (const { name, run } of reloads) {
      try {
        const fields = run();
        logger.info('settings.reloaded', { reason: name, ...fields });
      } catch (error) {
        logger.error('settings.refused', { reason: name, error });
      }
    }
  }

  function fail(event: string, error: unknown): void {
    try {
      if (claims.some((claim) => claim(error))) return;
    } catch (claimError) {
      logger.error('process.claim_failed', { error: claimError });
    }
    logger.error(event, { error });
    process.exit(1);
  }

  process.on('SIGTERM', () => void end('SIGTERM'));
  process.on('SIGINT', () => void end('SIGINT'));
  process.on('SIGHUP', reload);
  process.on('unhandledRejection', (error) => fail('process.unhandled_rejection', error));
  process.on('uncaughtException', (error) => fail('process.uncaught_exception', error));

  const scope: Scope = {
    logger,
    metrics,
    addReadinessCheck: (name, check) => void checks.set(name, check),
    onDrain: (name, drain) => void drains.push({ name, run: drain }),
    defer: (name, close) => void closers.push({ name, run: close }),
    onStrayError: (claim) => void claims.push(claim),
    onReload: (name, run) => void reloads.push({ name, run }),
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

async function attempt(logger: Logger, step: Step): Promise<void> {
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
