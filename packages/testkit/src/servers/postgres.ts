import { type ChildProcess, spawn } from 'node:child_process';
import { open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { prepareCluster, USER } from './postgres-cluster';
import { type Place, preparePlace } from './postgres-place';
import { commandOf, type Exit, endProcess, untilExit, untilItAnswers } from './process-control';

export interface PostgresOptions {
  /** Holds the cluster, its password and its log. Made when it is not there, used again when it is. */
  directory: string;
  port: number;
  /** False gives up surviving a power cut for speed: for data that nobody wants back. */
  durable: boolean;
  /** As little memory as a host with few processes needs; default: PostgreSQL's own. */
  isSmall?: boolean;
}

export interface Postgres {
  pid: number;
  /** URL of the database `mediagate`, with its password. */
  url: string;
  exited: Promise<Exit>;
  /** Ends the sessions that are left and shuts down. */
  stop(): Promise<void>;
}

/**
 * Starts the PostgreSQL that npm brought on 127.0.0.1, over a cluster of its own. A server that was left behind on the same
 * directory, because whoever started it was killed, is ended first.
 *
 * @throws Error with the end of the server's log when it does not come up within a minute.
 */
export async function startPostgres(options: PostgresOptions): Promise<Postgres> {
  const { directory, port } = options;
  const place = await preparePlace(directory);
  await endLeftover(place);
  const password = await prepareCluster(place);
  const child = await launch(place, options);
  const exited = untilExit(child);
  const server = `postgres://${USER}:${password}@127.0.0.1:${port}`;
  try {
    await untilItAnswers(() => answers(`${server}/postgres`), exited);
    await ensureDatabase(`${server}/postgres`);
  } catch (cause) {
    child.kill('SIGQUIT');
    throw new Error(`PostgreSQL did not start.\n${await endOf(place.log)}`, { cause });
  }
  return {
    pid: child.pid as number,
    url: `${server}/${DATABASE}`,
    exited,
    async stop() {
      await endProcess(child.pid as number, { signal: 'SIGINT', graceMs: STOP_GRACE_MS });
      await exited;
    },
  };
}

/** Ends the server that was left behind on a directory, if there is one. */
export async function endLeftoverPostgres(directory: string): Promise<void> {
  await endLeftover(await preparePlace(directory));
}

/** The server keeps `postmaster.pid`; after a crash the number in it may be anybody's, so the command line decides. */
async function endLeftover({ data }: Place): Promise<void> {
  const file = join(data, 'postmaster.pid');
  const pid = Number((await readIfThere(file)).split('\n')[0]);
  if (!(pid > 0)) return;
  const command = await commandOf(pid);
  if (command?.includes(data)) await endProcess(pid, { signal: 'SIGINT', graceMs: STOP_GRACE_MS });
  else await rm(file, { force: true });
}

const DATABASE = 'mediagate';
const STOP_GRACE_MS = 20_000;
const LOG_TAIL_CHARACTERS = 2000;

async function readIfThere(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}

/** In a session of its own, so that Ctrl-C in the terminal reaches only whoever is to stop it in order. */
async function launch(place: Place, { port, durable, isSmall = false }: PostgresOptions): Promise<ChildProcess> {
  const log = await open(place.log, 'w', 0o600);
  try {
    const settings = { ...SETTINGS, port, ...(isSmall ? SMALL : {}), ...(durable ? {} : NOT_DURABLE) };
    const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    return spawn(join(place.programs, 'postgres'), ['-D', place.data, ...flags], {
      ...place.runAs,
      cwd: place.directory,
      detached: true,
      env: { PATH: process.env['PATH'], LC_ALL: 'C' },
      stdio: ['ignore', log.fd, log.fd],
    });
  } finally {
    await log.close();
  }
}

const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: 200,
  timezone: 'UTC',
  log_timezone: 'UTC',
};
/**
 * Shared memory is made for as many sessions as may come: the API and `serve` open 20 and some at most. No process reads ahead for others,
 * replicates what they write or compiles plans.
 */
const SMALL = {
  max_connections: 60,
  shared_buffers: '32MB',
  wal_buffers: '1MB',
  io_method: 'sync',
  io_max_concurrency: 4,
  max_worker_processes: 2,
  max_parallel_workers: 0,
  max_logical_replication_workers: 0,
  max_wal_senders: 2,
  autovacuum_max_workers: 1,
  autovacuum_worker_slots: 2,
  jit: 'off',
};
/** The log is bounded for those that keep it in memory. */
const NOT_DURABLE = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_wal_size: '256MB' };

/** False while it is starting; anything else that goes wrong, a wrong password for one, will not get better by waiting. */
async function answers(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 2000 });
  try {
    await client.connect();
    return true;
  } catch (error) {
    if (NOT_YET.has((error as { code?: string }).code ?? '')) return false;
    throw error;
  } finally {
    await client.end();
  }
}

const CANNOT_CONNECT_NOW = '57P03';
const NOT_YET = new Set(['ECONNREFUSED', 'ECONNRESET', CANNOT_CONNECT_NOW]);

async function ensureDatabase(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const found = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [DATABASE]);
    if (found.rowCount === 0) await client.query(`CREATE DATABASE ${DATABASE}`);
  } finally {
    await client.end();
  }
}

async function endOf(log: string): Promise<string> {
  return (await readIfThere(log)).slice(-LOG_TAIL_CHARACTERS);
}
