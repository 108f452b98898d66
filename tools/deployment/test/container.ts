import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';

/** The user of the image, by number; only root can become somebody else. */
const IMAGE_USER = process.getuid?.() === 0 ? { uid: 1000, gid: 1000 } : {};
const READY_LIMIT_MS = 90_000;
const POLL_MS = 50;
const MAX_LOG_CHARACTERS = 100_000;

export interface ContainerOptions {
  name: string;
  command: readonly string[];
  environment: Record<string, string>;
  workingDirectory: string;
}

/** A command of the image as a plain process: its user, its environment and nothing of this one's but the path. */
export interface Container {
  log(): string;
  ready(): Promise<void>;
  /** SIGTERM, then SIGKILL after the grace period, as Docker does it. The exit code, and the seconds it took. */
  stop(graceSeconds: number): Promise<{ code: number | null; seconds: number }>;
}

export function startContainer({ name, command, environment, workingDirectory }: ContainerOptions): Container {
  const [program = '', ...args] = command;
  const child: ChildProcess = spawn(program, args, {
    cwd: workingDirectory,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...IMAGE_USER,
    env: { PATH: process.env['PATH'], ...environment },
  });
  const exited = once(child, 'exit') as Promise<[number | null]>;
  let log = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      log = (log + text).slice(-MAX_LOG_CHARACTERS);
    });
  }
  return {
    log: () => log,
    async ready() {
      const deadline = Date.now() + READY_LIMIT_MS;
      while (!(await answers(`http://127.0.0.1:${environment['HEALTH_PORT']}/readyz`))) {
        if (child.exitCode !== null) throw new Error(`${name} ended with ${child.exitCode}:\n${log}`);
        if (Date.now() > deadline) throw new Error(`${name} was not ready within ${READY_LIMIT_MS / 1000} s:\n${log}`);
        await delay(POLL_MS);
      }
    },
    async stop(graceSeconds) {
      const startedAt = performance.now();
      child.kill('SIGTERM');
      const hard = setTimeout(() => child.kill('SIGKILL'), graceSeconds * 1000);
      const [code] = await exited;
      clearTimeout(hard);
      return { code, seconds: (performance.now() - startedAt) / 1000 };
    },
  };
}

/** One that ends by itself: its exit code and output. */
export function runContainer(options: ContainerOptions): { code: number | null; output: string } {
  const [program = '', ...args] = options.command;
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd: options.workingDirectory,
    encoding: 'utf8',
    timeout: READY_LIMIT_MS,
    ...IMAGE_USER,
    env: { PATH: process.env['PATH'], ...options.environment },
  });
  return { code: status, output: `${stdout}${stderr}` };
}

async function answers(url: string): Promise<boolean> {
  try {
    const response = await fetch(url);
    await response.body?.cancel();
    return response.ok;
  } catch {
    // Not listening yet.
    return false;
  }
}
