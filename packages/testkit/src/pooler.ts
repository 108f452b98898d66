import { execFileSync, spawn } from 'node:child_process';
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { endProcess, findServerUser, freePort } from './servers';
import { findOrInstall } from './system-package';

export interface Pooler {
  /** URL of the database by way of the pooler. */
  url: string;
  /** From the next transaction on it leads to the same database of another server. */
  leadTo(databaseUrl: string): Promise<void>;
  close(): Promise<void>;
}

interface PoolerOptions {
  program: string;
  /** At the database, for all connections together. */
  sessions: number;
}

/** The path of PgBouncer, installed where that is possible; undefined when it cannot be had. */
export function findPooler(): string | undefined {
  return findOrInstall({ name: 'pgbouncer', programs: ['pgbouncer'], neededBy: 'the test of poolers' });
}

/** Whether it finds statements again that were prepared by name: since 1.21. */
export function keepsNames(program: string): boolean {
  const [, major, minor] =
    /PgBouncer (\d+)\.(\d+)/.exec(execFileSync(program, ['--version'], { encoding: 'utf8' })) ?? [];
  return Number(major) > 1 || Number(minor) >= 21;
}

/** PgBouncer before a database, in transaction mode. */
export async function openPooler(databaseUrl: string, { program, sessions }: PoolerOptions): Promise<Pooler> {
  const port = await freePort();
  const directory = await mkdtemp(join(tmpdir(), 'mediagate-pooler-'));
  const file = join(directory, 'pgbouncer.ini');
  await writeFile(file, settings(databaseUrl, port, { program, sessions }));
  // It refuses to run as root.
  const user = findServerUser();
  if (user) await Promise.all([directory, file].map((path) => chown(path, user.uid, user.gid)));
  const child = spawn(program, [file], { ...user, stdio: ['ignore', 'ignore', 'pipe'] });
  await untilUp(child.stderr);
  const url = new URL(databaseUrl);
  url.port = String(port);
  return {
    url: url.href,
    async leadTo(otherUrl) {
      await writeFile(file, settings(otherUrl, port, { program, sessions }));
      process.kill(child.pid as number, 'SIGHUP');
    },
    async close() {
      await endProcess(child.pid as number);
      await rm(directory, { recursive: true });
    },
  };
}

function settings(databaseUrl: string, port: number, { program, sessions }: PoolerOptions): string {
  const { hostname, port: serverPort, username, password } = new URL(databaseUrl);
  const server = `host=${hostname} port=${serverPort} user=${username} password=${decodeURIComponent(password)}`;
  return `[databases]
* = ${server}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${sessions}
server_login_retry = 1
query_wait_timeout = 10
${keepsNames(program) ? 'max_prepared_statements = 500' : ''}
`;
}

/** @throws Error with what it wrote, when it ended before it was up. */
async function untilUp(log: Readable): Promise<void> {
  const lines: string[] = [];
  for await (const line of createInterface({ input: log })) {
    lines.push(line);
    if (!line.includes('process up')) continue;
    log.resume();
    return;
  }
  throw new Error(`PgBouncer did not start.\n${lines.join('\n')}`);
}
