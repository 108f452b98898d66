import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { RUN_FILE_VARIABLE, type Run, readRun } from './run';

const ROOT = join(__dirname, '../../../..');
const START_LIMIT_MS = 240_000;
const TASK_LIMIT_MS = 60_000;
const POLL_MS = 200;

declare global {
  var webSystem: { process: ChildProcess; home: string } | undefined;
}

/**
 * For the whole suite: the system of `npm start` in a folder of its own, with its demo and what the demo has not. Jest loads this as
 * Node does, where packages of the workspace are those that are built, and tools for tests are not.
 */
export default async function startSystem(): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'mediagate-web-'));
  // The user that root runs PostgreSQL as must pass.
  chmodSync(home, 0o755);
  const { DATABASE_URL: _database, REDIS_URL: _redis, ...environment } = process.env;
  const ports = { PORT: String(await freePort()), CONSOLE_PORT: String(await freePort()) };
  const child = spawn(process.execPath, ['scripts/start.mjs'], {
    cwd: ROOT,
    env: { ...environment, ...ports, MEDIAGATE_HOME: home, MEDIAGATE_CONFIG: configuration(home) },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  globalThis.webSystem = { process: child, home };
  const runFile = join(home, 'run.json');
  await untilWritten(runFile, child);
  process.env[RUN_FILE_VARIABLE] = runFile;
  await addTasks(readRun());
}

/** The configuration of `npm start`, with fingerprints, and the simulator among the receivers of callbacks: it shows what it received. */
function configuration(home: string): string {
  const text = readFileSync(join(ROOT, 'deploy/config/simulator.yaml'), 'utf8');
  const demo = `"\${DEMO_CALLBACK_ORIGIN}"`;
  if (!text.includes(demo)) throw new Error('The configuration has another receiver of callbacks.');
  const file = join(home, 'configuration.yaml');
  writeFileSync(file, `${text.replace(demo, `${demo}, "\${SIMULATOR_URL}"`)}\nmedia: { fingerprints: on }\n`);
  return file;
}

/** Ends it, and removes what it kept. */
export async function stopSystem(): Promise<void> {
  if (globalThis.webSystem === undefined) return;
  const { process: child, home } = globalThis.webSystem;
  if (child.exitCode === null) {
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
  rmSync(home, { recursive: true });
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

async function untilWritten(file: string, child: ChildProcess): Promise<void> {
  const deadline = Date.now() + START_LIMIT_MS;
  while (!existsSync(file)) {
    if (child.exitCode !== null || Date.now() > deadline) throw new Error('The system did not start.');
    await delay(POLL_MS);
  }
}

/** Adds a task that its vendor refuses, one with a callback that does not arrive, and one that runs for a while. */
async function addTasks({ baseUrl, apiKey }: Run): Promise<void> {
  const ask = async (path: string, body?: object) => {
    const response = await fetch(`${baseUrl}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return (await response.json()) as { id: string; data: { id: string; task_id: string; status: string }[] };
  };
  const image = async (prompt: string, more: object = {}) => {
    const { data } = await ask('/v1/images/generations', { model: 'imagegen-2.5-flare', prompt, ...more });
    return data[0]?.task_id ?? '';
  };
  const failed = await image('a lighthouse in a storm [[sim:policy-submit]]');
  await image('a lighthouse at dawn', { webhook: 'https://receiver.invalid' });
  const prompt = 'a lighthouse in the fog [[sim:latency=10m]]';
  await ask('/v1/videos/generations', { model: 'videoa-3.0-video', prompt, resolution: '480P', duration: 2 });
  const deadline = Date.now() + TASK_LIMIT_MS;
  for (;;) {
    const { data } = await ask('/v1/tasks?status=failed');
    if (data.some(({ id }) => id === failed)) return;
    if (Date.now() > deadline) throw new Error('The task that is to fail did not.');
    await delay(POLL_MS);
  }
}
