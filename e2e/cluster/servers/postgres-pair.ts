import { spawnSync } from 'node:child_process';
import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { migrate } from '@mediagate/database';
import { until } from '@mediagate/testkit';
import { findServerUser, freePort, type Postgres, startPostgres } from '@mediagate/testkit/servers';
import { Client } from 'pg';

export interface Frozen {
  /** It goes on where it stood. */
  thaw(): void;
}

export interface PostgresPair {
  /** URL of the primary, with the rights of its superuser. */
  url(): string;
  /** Everybody's transactions are read-only from now on, or are not any more. */
  setReadOnly(isReadOnly: boolean): Promise<void>;
  /** The standby, which may be read. */
  standbyUrl: string;
  /** From now on the standby gets nothing more of what the primary commits. */
  cutStandby(): Promise<void>;
  /** SIGKILL to the primary; resolves with the URL of the other, which has taken its place. */
  failOver(): Promise<string>;
  /** SIGSTOP to the primary with all of its sessions: its connections stay open, and nothing is answered. */
  freeze(): Promise<Frozen>;
  /** Resolves with the URL of the standby, which has taken the primary's place, whatever that does. */
  promote(): Promise<string>;
  stop(): Promise<void>;
}

/** A primary with all migrations and the settings of the role that a pooler needs, and a standby, which by default each commit waits for. */
export async function startPostgresPair(
  directory: string,
  { isSynchronous = true }: { isSynchronous?: boolean } = {},
): Promise<PostgresPair> {
  const { primary, standby } = await startServers(directory, isSynchronous);
  let current: Postgres = primary;
  async function promote(): Promise<string> {
    await run(standby.url, 'SELECT pg_promote()');
    current = standby;
    return standby.url;
  }
  return {
    url: () => current.url,
    standbyUrl: standby.url,
    async cutStandby() {
      await run(standby.url, `ALTER SYSTEM SET primary_conninfo = ''`);
      await reload(standby.url);
      await until(async () => (await run(primary.url, STREAMING)).length === 0);
    },
    async setReadOnly(isReadOnly) {
      await run(current.url, `ALTER SYSTEM SET default_transaction_read_only = ${isReadOnly ? 'on' : 'off'}`);
      await reload(current.url);
    },
    async failOver() {
      process.kill(primary.pid, 'SIGKILL');
      await primary.exited;
      return promote();
    },
    freeze: () => freeze(primary.pid),
    promote,
    async stop() {
      await standby.stop();
      await primary.stop();
    },
  };
}

async function startServers(
  directory: string,
  isSynchronous: boolean,
): Promise<{ primary: Postgres; standby: Postgres }> {
  const folders = { primary: join(directory, 'primary'), standby: join(directory, 'standby') };
  const primary = await startPostgres({ directory: folders.primary, port: await freePort(), durable: true });
  await migrate(primary.url);
  for (const setting of ROLE_SETTINGS) await run(primary.url, `ALTER ROLE CURRENT_USER SET ${setting}`);
  await copyBase(primary, folders);
  const standby = await startPostgres({ directory: folders.standby, port: await freePort(), durable: true });
  if (isSynchronous) await run(primary.url, `ALTER SYSTEM SET synchronous_standby_names = '*'`);
  await reload(primary.url);
  await until(async () => (await run(primary.url, isSynchronous ? SYNCHRONOUS : STREAMING)).length === 1);
  return { primary, standby };
}

/** The server first, so that it starts no session meanwhile. Each session has a process of its own. */
async function freeze(server: number): Promise<Frozen> {
  process.kill(server, 'SIGSTOP');
  const sessions = await childrenOf(server);
  for (const pid of sessions) process.kill(pid, 'SIGSTOP');
  return {
    thaw() {
      for (const pid of [...sessions, server]) process.kill(pid, 'SIGCONT');
    },
  };
}

async function childrenOf(parent: number): Promise<number[]> {
  const text = await readFile(`/proc/${parent}/task/${parent}/children`, 'utf8');
  return text.split(' ').filter(Boolean).map(Number);
}

/** As docs/deployment.md names them. */
const ROLE_SETTINGS = [
  `statement_timeout = '10s'`,
  `lock_timeout = '2s'`,
  `idle_in_transaction_session_timeout = '5s'`,
  'enable_seqscan = off',
  'jit = off',
  `timezone = 'UTC'`,
];
const SYNCHRONOUS = `SELECT 1 AS found FROM pg_stat_replication WHERE sync_state = 'sync'`;
const STREAMING = `SELECT 1 AS found FROM pg_stat_replication WHERE state = 'streaming'`;

/** A copy of its files while it runs, with what it writes meanwhile. */
async function copyBase({ url }: Postgres, folders: { primary: string; standby: string }): Promise<void> {
  const data = join(folders.standby, 'data');
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`SELECT pg_backup_start('standby', fast => true)`);
    await cp(folders.primary, folders.standby, { recursive: true, preserveTimestamps: true });
    const { rows } = await client.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop(false)');
    await writeFile(join(data, 'backup_label'), rows[0]?.labelfile ?? '');
  } finally {
    await client.end();
  }
  await Promise.all(['postmaster.pid', 'postmaster.opts'].map((name) => rm(join(data, name), { force: true })));
  await writeFile(join(data, 'standby.signal'), '');
  const { hostname, port, username, password } = new URL(url);
  const source = `host=${hostname} port=${port} user=${username} password=${decodeURIComponent(password)} application_name=standby`;
  await writeFile(join(data, 'postgresql.auto.conf'), `primary_conninfo = '${source}'\n`);
  await ownedByServer(folders.standby);
}

/** Root runs PostgreSQL as another user, who has to own what root copied. */
async function ownedByServer(folder: string): Promise<void> {
  const user = findServerUser();
  if (user === undefined) return;
  const { status } = spawnSync('chown', ['-R', `${user.uid}:${user.gid}`, folder]);
  if (status !== 0) throw new Error(`${folder} could not be given to the user of PostgreSQL`);
}

async function reload(url: string): Promise<void> {
  await run(url, 'SELECT pg_reload_conf()');
}

async function run(url: string, statement: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}
