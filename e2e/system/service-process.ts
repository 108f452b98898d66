import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort, untilReady } from '@mediagate/testkit/servers';
import { limitMemory } from './memory-limit';

const ROOT = join(__dirname, '../..');
const END_WITH_PARENT = join(ROOT, 'scripts/end-with-parent.cjs');
const LOADED = ['--require', join(ROOT, 'scripts/register-typescript.cjs'), '--require', END_WITH_PARENT];
/** In MiB. What a start makes and keeps is not copied again and again on its way to the old space: a sixth of its CPU time. */
const YOUNG_SPACE = '--min-semi-space-size=16';
const STOP_LIMIT_MS = 15_000;
const STARVE_LIMIT_MS = 30_000;
const MAX_LOG_CHARACTERS = 2_000_000;

/** A service as its own process, run from the sources, as an operator would run it from the build. */
export interface ServiceProcess {
  name: string;
  /** On its health port. */
  metricsUrl: string;
  pid(): number;
  /** All it has printed, over every life it had. */
  log(): string;
  /** SIGKILL: nothing is finished, nothing is closed. Resolves when the process is gone. */
  kill(): Promise<void>;
  /** Gives it no more memory: its own work ends it. Resolves when the process is gone; rejects, and kills it, where it lives on. */
  starve(): Promise<void>;
  /** SIGTERM, and SIGKILL if it has not ended after the limit; the exit code, null when it was killed. */
  stop(limitMs?: number): Promise<number | null>;
  /** A new life with the same ports and environment. */
  start(): Promise<void>;
}

export interface ServiceOptions {
  name: string;
  /** Default: that of the service of this name. */
  folder?: string;
  /** Another checkout, that it is run from as it was built there. */
  checkout?: string | undefined;
  env: Record<string, string>;
  /** Where it answers once it is ready. */
  readyUrl: string;
}

export async function startService({
  name,
  folder = `services/${name}`,
  checkout,
  env,
  readyUrl,
}: ServiceOptions): Promise<ServiceProcess> {
  let child: ChildProcess | undefined;
  let log = '';

  async function start(): Promise<void> {
    const started = spawnService({ folder, checkout, env }, (text) => {
      log = (log + text).slice(-MAX_LOG_CHARACTERS);
    });
    child = started;
    try {
      await untilReady(started, readyUrl);
    } catch (cause) {
      await end('SIGKILL');
      throw new Error(`${name} did not start: ${log.slice(-2000)}`, { cause });
    }
  }

  async function end(signal: NodeJS.Signals, limitMs = STOP_LIMIT_MS): Promise<number | null> {
    const ending = child;
    if (!ending || ending.exitCode !== null || ending.signalCode !== null) return ending?.exitCode ?? null;
    const exited = once(ending, 'exit');
    ending.kill(signal);
    const hard = setTimeout(() => ending.kill('SIGKILL'), limitMs);
    const [code] = (await exited) as [number | null];
    clearTimeout(hard);
    return code;
  }

  async function starve(): Promise<void> {
    if (!child?.pid) throw new Error(`${name} does not run`);
    const exited = once(child, 'exit');
    const { way, remove } = await limitMemory(child.pid);
    const survived = await Promise.race([exited.then(() => false), delay(STARVE_LIMIT_MS, true, { ref: false })]);
    if (survived) await end('SIGKILL');
    await remove();
    if (survived) throw new Error(`${name} lived for ${STARVE_LIMIT_MS} ms without memory, by ${way}`);
  }

  await start();
  return {
    name,
    metricsUrl: new URL('/metrics', readyUrl).href,
    pid: () => child?.pid ?? 0,
    log: () => log,
    kill: async () => void (await end('SIGKILL')),
    starve,
    stop: (limitMs) => end('SIGTERM', limitMs),
    start,
  };
}

type Spawned = Pick<ServiceOptions, 'checkout' | 'env'> & { folder: string };

function spawnService({ folder, checkout, env }: Spawned, onOutput: (text: string) => void): ChildProcess {
  const child = spawn(process.execPath, checkout === undefined ? fromSources(folder) : asBuilt(checkout, folder), {
    cwd: checkout ?? ROOT,
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  child.stdout?.setEncoding('utf8').on('data', onOutput);
  child.stderr?.setEncoding('utf8').on('data', onOutput);
  return child;
}

function fromSources(folder: string): string[] {
  return [YOUNG_SPACE, ...LOADED, join(ROOT, folder, 'src/main.ts')];
}

function asBuilt(checkout: string, folder: string): string[] {
  return [YOUNG_SPACE, '--require', END_WITH_PARENT, join(checkout, folder, 'dist/main.js')];
}

export { freePort };
