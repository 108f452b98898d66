import { createServer, type Server, type ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { Gauge, Registry } from 'prom-client';
import { listenAt } from './http-server';
import type { ProcessScope } from './process-scope';

const CHECK_TIMEOUT_MS = 2000;

export interface HealthState {
  scope: Pick<ProcessScope, 'checks' | 'livenessChecks' | 'logger' | 'metrics' | 'readMetrics'>;
  started(): boolean;
  draining(): boolean;
}

/**
 * `/healthz` (the process lives, and its work goes on), `/readyz` (it can do its work: started, not draining, all checks pass) and `/metrics` on
 * a port of their own, so that the public port serves callers alone. `/readyz?except=storage` leaves a check aside.
 */
export async function startHealthServer(port: number, host: string, state: HealthState): Promise<Server> {
  const server = createServer((request, response) => {
    void answer(request.url ?? '', response, state).catch(() => reply(response, 500, 'error'));
  });
  server.requestTimeout = 5000;
  await listenAt(server, { port, host, variable: 'HEALTH_PORT' });
  showReadiness(state);
  return server;
}

/** Shows the checks of `/readyz` as metrics. */
function showReadiness({ scope: { checks, metrics } }: HealthState): void {
  new Gauge({
    name: 'mediagate_readiness',
    help: "1 while the check passes, else 0: a dependency answers, or the process's own work goes on.",
    labelNames: ['check'],
    registers: [metrics],
    async collect() {
      await Promise.all([...checks].map(async ([check, run]) => this.set({ check }, (await passes(run)) ? 1 : 0)));
    },
  });
}

async function answer(url: string, response: ServerResponse, state: HealthState): Promise<void> {
  switch (url.split('?')[0]) {
    case '/healthz': {
      const stopped = stoppedWork(state);
      reply(response, stopped.length === 0 ? 200 : 503, stopped.length === 0 ? 'ok' : stopped.join('\n'));
      return;
    }
    case '/readyz': {
      const failing = await failingChecks(state, new URLSearchParams(url.split('?')[1]).getAll('except'));
      reply(response, failing.length === 0 ? 200 : 503, failing.length === 0 ? 'ready' : failing.join('\n'));
      return;
    }
    case '/metrics':
      response.setHeader('content-type', Registry.PROMETHEUS_CONTENT_TYPE);
      reply(response, 200, await state.scope.readMetrics());
      return;
    default:
      reply(response, 404, 'not found');
  }
}

/** A process that drains stops its work itself, within a time limit. */
function stoppedWork({ scope, draining }: HealthState): string[] {
  if (draining()) return [];
  const names = [...scope.livenessChecks].filter(([, isAlive]) => !isAlive()).map(([name]) => name);
  // Whoever asks may end the process, and with it all that metrics would show.
  if (names.length > 0) scope.logger.error('process.work_stopped', { reason: names.join(', ') });
  return names.map((name) => `${name}: stopped`);
}

/** @param except checks that who asks leaves aside: a balancer that must not cut off what goes on without them. */
async function failingChecks(state: HealthState, except: readonly string[]): Promise<string[]> {
  if (!state.started()) return ['starting'];
  if (state.draining()) return ['draining'];
  const results = await Promise.all(
    [...state.scope.checks].map(async ([name, check]) =>
      except.includes(name) || (await passes(check)) ? undefined : `${name}: failing`,
    ),
  );
  return results.filter((result) => result !== undefined);
}

async function passes(check: () => Promise<void>): Promise<boolean> {
  const timer = new AbortController();
  try {
    const timeout = delay(CHECK_TIMEOUT_MS, undefined, { signal: timer.signal, ref: false }).then(() => {
      throw new Error('timed out');
    });
    await Promise.race([check(), timeout]);
    return true;
  } catch {
    // The answer itself says which check fails; its cause is in the log of whoever owns the dependency.
    return false;
  } finally {
    timer.abort();
  }
}

function reply(response: ServerResponse, status: number, body: string): void {
  if (!response.headersSent) response.writeHead(status);
  response.end(`${body}\n`);
}
