import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort, type StartedProcess, startProcess, untilReady } from '@mediagate/testkit/servers';
import { limitMemory } from './memory-limit';

/** In MiB. What a start makes and keeps is not copied again and again on its way to the old space: a sixth of its CPU time. */
const YOUNG_SPACE = '--min-semi-space-size=16';
/** As long as a busy machine needs to drain and to close. */
const STOP_LIMIT_MS = 60_000;
const STARVE_LIMIT_MS = 30_000;

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
  let life: StartedProcess | undefined;
  let formerLog = '';

  async function start(): Promise<void> {
    formerLog += life?.output() ?? '';
    life = startProcess({
      main: `${folder}/${checkout === undefined ? 'src/main.ts' : 'dist/main.js'}`,
      flags: [YOUNG_SPACE],
      env,
      checkout,
    });
    try {
      await untilReady(life.child, readyUrl);
    } catch (cause) {
      await end('SIGKILL');
      throw new Error(`${name} did not start: ${life.output().slice(-2000)}`, { cause });
    }
  }

  async function end(signal: NodeJS.Signals, limitMs = STOP_LIMIT_MS): Promise<number | null> {
    const ending = life?.child;
    if (!ending || ending.exitCode !== null || ending.signalCode !== null) return ending?.exitCode ?? null;
    const exited = once(ending, 'exit');
    ending.kill(signal);
    const hard = setTimeout(() => ending.kill('SIGKILL'), limitMs);
    const [code] = (await exited) as [number | null];
    clearTimeout(hard);
    return code;
  }

  async function starve(): Promise<void> {
    const child = life?.child;
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
    pid: () => life?.child.pid ?? 0,
    log: () => formerLog + (life?.output() ?? ''),
    kill: async () => void (await end('SIGKILL')),
    starve,
    stop: (limitMs) => end('SIGTERM', limitMs),
    start,
  };
}

export { freePort };
