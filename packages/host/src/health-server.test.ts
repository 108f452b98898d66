import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Writable } from 'node:stream';
import { Counter, Registry } from 'prom-client';
import { startHealthServer } from './health-server';
import { createLogger } from './log/logger';

let server: Server;
const metrics = new Registry();
const checks = new Map<string, () => Promise<void>>();
const state = { started: true, draining: false };
const livenessChecks = new Map<string, () => boolean>();
const lines: string[] = [];
const output = new Writable({
  write(line, _encoding, done) {
    lines.push(String(line));
    done();
  },
});
const logger = createLogger({ service: 'test', level: 'info', format: 'json', output });
const scope = { checks, livenessChecks, logger, metrics, readMetrics: () => metrics.metrics() };

beforeAll(async () => {
  const { started, draining } = { started: () => state.started, draining: () => state.draining };
  server = await startHealthServer(0, '127.0.0.1', { scope, started, draining });
});
beforeEach(() => {
  checks.clear();
  livenessChecks.clear();
  Object.assign(state, { started: true, draining: false });
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

async function get(path: string): Promise<{ status: number; body: string }> {
  const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`);
  return { status: response.status, body: await response.text() };
}

const passes = async () => {};
const fails = async () => {
  throw new Error('postgres://app:secret@db is down');
};

describe('the health server', () => {
  it('says that the process lives, starting or draining as it may be', async () => {
    Object.assign(state, { started: false, draining: true });
    expect(await get('/healthz')).toEqual({ status: 200, body: 'ok\n' });
  });

  it('names the work that has stopped, here and in the log, and nothing that still goes on', async () => {
    livenessChecks.set('image tasks', () => false).set('video tasks', () => true);
    expect(await get('/healthz')).toEqual({ status: 503, body: 'image tasks: stopped\n' });
    expect(lines.map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({ message: 'process.work_stopped', reason: 'image tasks' }),
    );
  });

  it('does not take the end of work in a drain for a fault', async () => {
    livenessChecks.set('image tasks', () => false);
    state.draining = true;
    expect(await get('/healthz')).toEqual({ status: 200, body: 'ok\n' });
  });

  it('takes no failing dependency for a reason to begin again', async () => {
    checks.set('redis', fails);
    expect(await get('/healthz')).toEqual({ status: 200, body: 'ok\n' });
  });

  it('is not ready before the process has started', async () => {
    state.started = false;
    checks.set('database', passes);
    expect(await get('/readyz')).toEqual({ status: 503, body: 'starting\n' });
  });

  it('is ready while all checks pass', async () => {
    checks.set('database', passes).set('redis', passes);
    expect(await get('/readyz?verbose')).toEqual({ status: 200, body: 'ready\n' });
  });

  it('names the checks that fail, without a word of why', async () => {
    checks.set('database', fails).set('redis', passes).set('queue', fails);
    expect(await get('/readyz')).toEqual({ status: 503, body: 'database: failing\nqueue: failing\n' });
  });

  it('leaves aside the checks that who asks excepts, and no other', async () => {
    checks.set('database', passes).set('storage', fails).set('queue', passes);
    expect(await get('/readyz?except=storage')).toEqual({ status: 200, body: 'ready\n' });
    checks.set('database', fails);
    expect(await get('/readyz?except=storage&except=queue')).toEqual({ status: 503, body: 'database: failing\n' });
    expect(await get('/readyz?except=')).toEqual({ status: 503, body: 'database: failing\nstorage: failing\n' });
  });

  it('excepts neither the start nor the drain of a process', async () => {
    state.started = false;
    expect(await get('/readyz?except=starting')).toEqual({ status: 503, body: 'starting\n' });
  });

  it('shows each check in the metrics', async () => {
    checks.set('database', fails).set('redis', passes);
    const { body } = await get('/metrics');
    expect(body).toContain('mediagate_readiness{check="database"} 0\n');
    expect(body).toContain('mediagate_readiness{check="redis"} 1\n');
  });

  it('counts a check without an answer as failing', async () => {
    checks.set('database', () => new Promise(() => {}));
    expect(await get('/readyz')).toEqual({ status: 503, body: 'database: failing\n' });
  });

  it('is not ready once the process drains', async () => {
    state.draining = true;
    expect(await get('/readyz')).toEqual({ status: 503, body: 'draining\n' });
  });

  it('serves the metrics and nothing else', async () => {
    new Counter({ name: 'things_total', help: 'things', registers: [metrics] }).inc(2);
    expect((await get('/metrics')).body).toContain('things_total 2');
    expect(await get('/')).toEqual({ status: 404, body: 'not found\n' });
  });

  it('rejects when its port is taken', async () => {
    const { port } = server.address() as AddressInfo;
    const free = { scope, started: () => true, draining: () => false };
    await expect(startHealthServer(port, '127.0.0.1', free)).rejects.toThrow(`port ${port} is in use`);
  });
});
