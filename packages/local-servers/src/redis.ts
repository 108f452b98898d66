import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, open, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { commandOf, type Exit, endProcess, untilExit } from './process-control';
import type { RedisProgram } from './redis-program';

export interface RedisOptions {
  program: RedisProgram;
  /** Holds its append-only file and its log. */
  directory: string;
  port: number;
  /** True keeps an append-only file, written through every second: what queues can bear to lose. */
  durable: boolean;
}

export interface Redis {
  pid: number;
  url: string;
  exited: Promise<Exit>;
  stop(): Promise<void>;
}

/**
 * Starts Redis on 127.0.0.1. It never evicts: a queue that loses entries is worse than one that refuses them. A server that
 * was left behind on the same directory is ended first, since two must not write one file.
 *
 * @throws Error with the end of its log when it does not answer in time.
 */
export async function startRedis(options: RedisOptions): Promise<Redis> {
  const { directory, port } = options;
  await mkdir(directory, { recursive: true });
  await endLeftoverRedis(directory);
  await writeFile(join(directory, PORT_FILE), String(port));
  const logFile = join(directory, 'redis.log');
  const child = await launch(options, logFile);
  const exited = untilExit(child);
  try {
    await untilItAnswers(port, exited);
  } catch (cause) {
    child.kill('SIGKILL');
    throw new Error(`Redis did not start.\n${(await readFile(logFile, 'utf8')).slice(-LOG_TAIL_CHARACTERS)}`, {
      cause,
    });
  }
  return {
    pid: child.pid as number,
    url: `redis://127.0.0.1:${port}`,
    exited,
    async stop() {
      await endProcess(child.pid as number, { graceMs: STOP_GRACE_MS });
      await exited;
    },
  };
}

const START_LIMIT_MS = 60_000;
const STOP_GRACE_MS = 10_000;
const POLL_MS = 20;
const ANSWER_LIMIT_MS = 1000;
const LOG_TAIL_CHARACTERS = 2000;
const PID_FILE = 'redis.pid';
const PORT_FILE = 'redis.port';

/** Ends the server that was left behind on a directory. The pid file of a killed server may name anybody by now, so the command line, which Redis sets itself, decides. */
export async function endLeftoverRedis(directory: string): Promise<void> {
  const pid = Number(await readIfThere(join(directory, PID_FILE)));
  const port = await readIfThere(join(directory, PORT_FILE));
  if (!(pid > 0)) return;
  const command = (await commandOf(pid)) ?? '';
  if (/\b(redis|valkey)-server\b/.test(command) && command.includes(`127.0.0.1:${port}`)) {
    await endProcess(pid, { graceMs: STOP_GRACE_MS });
  }
  await rm(join(directory, PID_FILE), { force: true });
}

async function readIfThere(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}

/** In a session of its own, so that Ctrl-C in the terminal reaches only whoever is to stop it in order. */
async function launch(options: RedisOptions, logFile: string): Promise<ChildProcess> {
  const [program, ...args] = commandFor(options);
  const log = await open(logFile, 'w', 0o600);
  try {
    return spawn(program as string, args, {
      cwd: options.directory,
      detached: true,
      stdio: ['ignore', log.fd, log.fd],
    });
  } finally {
    await log.close();
  }
}

function commandFor({ program, directory, port, durable }: RedisOptions): string[] {
  const settings = ['--save', '', '--maxmemory-policy', 'noeviction', '--appendonly', durable ? 'yes' : 'no'];
  if (program.kind === 'program') {
    const own = ['--bind', '127.0.0.1', '--port', String(port), '--dir', directory];
    return [program.path, ...own, '--pidfile', join(directory, PID_FILE), ...settings, '--appendfsync', 'everysec'];
  }
  const container = ['run', '--rm', '-p', `127.0.0.1:${port}:6379`, '-v', `${directory}:/data`];
  return [program.path, ...container, 'redis:7', 'redis-server', ...settings, '--appendfsync', 'everysec'];
}

async function untilItAnswers(port: number, exited: Promise<Exit>): Promise<void> {
  let gone: Exit | undefined;
  void exited.then((exit) => {
    gone = exit;
  });
  const deadline = Date.now() + START_LIMIT_MS;
  while (!(await answers(port))) {
    if (gone !== undefined) throw new Error(`It ended with ${gone.signal ?? `code ${gone.code}`}.`);
    if (Date.now() > deadline) throw new Error(`No answer within ${START_LIMIT_MS / 1000} s.`);
    await delay(POLL_MS);
  }
}

/** Whether PING is answered with PONG; while it reads its file it answers LOADING. */
function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port, timeout: ANSWER_LIMIT_MS });
    const settle = (result: boolean) => {
      socket.destroy();
      resolve(result);
    };
    socket.once('connect', () => socket.write('PING\r\n'));
    socket.once('data', (reply) => settle(reply.toString('latin1').startsWith('+PONG')));
    socket.once('timeout', () => settle(false));
    socket.once('error', () => settle(false));
    socket.once('close', () => settle(false));
  });
}
