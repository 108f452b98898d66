import { type ChildProcess, fork, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { endProcess, freePort, imageVariables, untilExit, untilReady } from '@mediagate/testkit/servers';

export const ROOT = join(__dirname, '../../..');
const END_WITH_PARENT = join(ROOT, 'scripts/end-with-parent.cjs');
const REGISTER = join(ROOT, 'scripts/register-typescript.cjs');
const STOP_GRACE_MS = 15_000;
const LOG_TAIL_CHARACTERS = 2000;

export interface Running {
  pid: number;
  stop(): Promise<void>;
}

export interface StartOptions {
  env: Record<string, string>;
  /** Receives what the process writes. */
  logFile: string;
  /** Arguments of node itself, for example `--cpu-prof`. */
  nodeArguments?: readonly string[];
  /** Says that it is ready; default: `/readyz` of its health port. */
  readyUrl?: string;
}

export interface RunningService extends Running {
  /** One counter of its `/metrics`, over all its labels that contain `labels`; 0 before it first counted. */
  counter(name: string, labels?: string): Promise<number>;
}

/** Starts a service of the product, or the simulator, from its `dist`, as its image does; resolves once it says that it is ready. */
export async function startService(
  name: string,
  { env, logFile, nodeArguments = [], readyUrl }: StartOptions,
): Promise<RunningService> {
  const healthPort = await freePort();
  const main = join(ROOT, name === 'simulator' ? name : `services/${name}`, 'dist/main.js');
  const log = openSync(logFile, 'w');
  const child = spawn(process.execPath, ['--require', END_WITH_PARENT, ...nodeArguments, main], {
    env: { ...BASE_ENV, ...env, HEALTH_PORT: String(healthPort) },
    stdio: ['ignore', log, log, 'ipc'],
  });
  closeSync(log);
  const health = `http://127.0.0.1:${healthPort}`;
  await orTellLog(untilReady(child, readyUrl ?? `${health}/readyz`), { child, name, logFile });
  return {
    ...running(child),
    async counter(metric, labels = '') {
      const text = await (await fetch(`${health}/metrics`)).text();
      const lines = text.split('\n').filter((line) => new RegExp(`^${metric}[{ ]`).test(line) && line.includes(labels));
      return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);
    },
  };
}

export interface RunningProgram extends Running {
  /** `http://127.0.0.1:<port>` of a program that listens; empty otherwise. */
  url: string;
  /** Sends one order and resolves with its report. */
  order<Report>(order: object): Promise<Report>;
}

/** Starts a program of this folder (see `program.ts` for its side); resolves once it has announced itself. */
export async function startProgram(path: string, { env, logFile }: StartOptions): Promise<RunningProgram> {
  const log = openSync(logFile, 'w');
  const child = fork(join(ROOT, 'bench', path), {
    env: { ...BASE_ENV, ...env },
    execArgv: ['--require', REGISTER],
    stdio: ['ignore', log, log, 'ipc'],
  });
  closeSync(log);
  const { port } = await orTellLog(nextMessage<{ port?: number }>(child), { child, name: path, logFile });
  return {
    ...running(child),
    url: port === undefined ? '' : `http://127.0.0.1:${port}`,
    async order<Report>(order: object) {
      const report = nextMessage<{ report: Report } | { failure: string }>(child);
      child.send(order);
      const answer = await report;
      if ('failure' in answer) throw new Error(`${path}: ${answer.failure}`);
      return answer.report;
    },
  };
}

/** As the image has it. */
const BASE_ENV = {
  PATH: process.env['PATH'] ?? '',
  NODE_ENV: 'production',
  LOG_LEVEL: 'info',
  ...imageVariables(),
};

function running(child: ChildProcess): Running {
  const pid = child.pid as number;
  const exited = untilExit(child);
  return {
    pid,
    async stop() {
      await endProcess(pid, { graceMs: STOP_GRACE_MS });
      await exited;
    },
  };
}

function nextMessage<Message>(child: ChildProcess): Promise<Message> {
  return new Promise((resolve, reject) => {
    const settle = () => {
      child.off('message', onMessage).off('exit', onExit);
    };
    const onMessage = (message: unknown) => {
      settle();
      resolve(message as Message);
    };
    const onExit = () => {
      settle();
      reject(new Error('it ended'));
    };
    child.once('message', onMessage).once('exit', onExit);
  });
}

/** A process that does not start has logged why. */
async function orTellLog<T>(
  started: Promise<T>,
  { child, name, logFile }: { child: ChildProcess; name: string; logFile: string },
): Promise<T> {
  try {
    return await started;
  } catch (cause) {
    child.kill('SIGKILL');
    throw new Error(`${name} did not start.\n${readFileSync(logFile, 'utf8').slice(-LOG_TAIL_CHARACTERS)}`, { cause });
  }
}
