import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, open, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { commandOf, type Exit, endProcess, untilExit, untilItAnswers } from './process-control';
import type { RedisProgram } from './redis-program';

export interface RedisOptions {
  program: RedisProgram;
  /** Holds its append-only file and its log. */
  directory: string;
  port: number;
  /** True keeps an append-only file, written through every second: what queues can bear to lose. */
  durable: boolean;
  /** Letters, digits, `-` and `_`. Absent: whoever reaches the port may do anything, as tests want it. */
  password?: string;
  /** Further settings, by their names in redis.conf. */
  settings?: Readonly<Record<string, string>>;
}

export interface Redis {
  pid: number;
  /** With user and password where there is one. */
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
  const { directory, port, password } = options;
  await mkdir(directory, { recursive: true, mode: 0o700 });
  await endLeftoverRedis(directory);
  await writeFile(join(directory, PORT_FILE), String(port), { mode: 0o600 });
  const logFile = join(directory, 'redis.log');
  const child = await launch(options, logFile);
  const exited = untilExit(child);
  try {
    await untilItAnswers(() => answers(options), exited);
  } catch (cause) {
    child.kill('SIGKILL');
    throw new Error(`Redis did not start.\n${(await readFile(logFile, 'utf8')).slice(-LOG_TAIL_CHARACTERS)}`, {
      cause,
    });
  }
  return {
    pid: child.pid as number,
    url: `redis://${password === undefined ? '' : `${USER}:${password}@`}127.0.0.1:${port}`,
    exited,
    async stop() {
      await endProcess(child.pid as number, { graceMs: STOP_GRACE_MS });
      await exited;
    },
  };
}

const STOP_GRACE_MS = 10_000;
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
    const child = spawn(program as string, args, {
      cwd: options.directory,
      detached: true,
      stdio: ['pipe', log.fd, log.fd],
    });
    // A program that does not start or ends at once reads nothing; its exit says so.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(usersFor(options.password) + linesOf(options.settings));
    return child;
  } finally {
    await log.close();
  }
}

/** `-` reads what `usersFor` makes: standard input, because other users of the machine see command lines. */
function commandFor({ program, directory, port, durable }: RedisOptions): string[] {
  const settings = ['--save', '', '--maxmemory-policy', 'noeviction', '--appendonly', durable ? 'yes' : 'no'];
  if (program.kind === 'program') {
    const own = ['--bind', '127.0.0.1', '--port', String(port), '--dir', directory];
    return [
      program.path,
      '-',
      ...own,
      '--pidfile',
      join(directory, PID_FILE),
      ...settings,
      '--appendfsync',
      'everysec',
    ];
  }
  const container = ['run', '--rm', '-i', '-p', `127.0.0.1:${port}:6379`, '-v', `${directory}:/data`];
  return [program.path, ...container, 'redis:7', 'redis-server', '-', ...settings, '--appendfsync', 'everysec'];
}

const USER = 'mediagate';

function linesOf(settings: RedisOptions['settings'] = {}): string {
  return Object.entries(settings)
    .map(([name, value]) => `${name} ${value}\n`)
    .join('');
}

/**
 * One user, known by the hash of the password, for everything but what administers the server: its settings, its modules,
 * its files, its end. INFO and CLIENT are what queues and their dashboard look at.
 */
function usersFor(password: string | undefined): string {
  if (password === undefined) return '';
  const hash = createHash('sha256').update(password).digest('hex');
  return `user default off\nuser ${USER} on #${hash} ~* &* +@all -@admin -@dangerous +info +client\n`;
}

/** Whether PING is answered with PONG; while it reads its file it answers LOADING. */
function answers({ port, password }: RedisOptions): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port, timeout: ANSWER_LIMIT_MS });
    let replies = '';
    const settle = (result: boolean) => {
      socket.destroy();
      resolve(result);
    };
    const login = password === undefined ? '' : `AUTH ${USER} ${password}\r\n`;
    socket.once('connect', () => socket.write(`${login}PING\r\n`));
    socket.on('data', (reply) => {
      replies += reply.toString('latin1');
      if (replies.includes('+PONG')) settle(true);
      else if (/^-/m.test(replies)) settle(false);
    });
    socket.once('timeout', () => settle(false));
    socket.once('error', () => settle(false));
    socket.once('close', () => settle(false));
  });
}
