import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { migrate } from '@mediagate/database';
import { commandOf, ensureRedis, freePort, startPostgres, startRedis } from '@mediagate/testkit/servers';
import { Redis } from 'ioredis';
import type { Counted } from './cpu';
import { query } from './query';

/** One PostgreSQL and one Redis for everything of a run, with the durability of production. */
export interface Servers {
  postgres: Counted;
  redis: Counted;
  /** The servers' settings, as they report them. */
  settings: Record<string, string>;
  /** A new database with the schema of the product; returns its URL. */
  createDatabase(name: string): Promise<string>;
  /** One of Redis's numbered databases, 0 to 15. */
  redisUrl(database: number): string;
  flushRedis(): Promise<void>;
  close(): Promise<void>;
}

const POSTGRES_SETTINGS = ['server_version', 'fsync', 'synchronous_commit', 'full_page_writes', 'wal_sync_method'];
const REDIS_SETTINGS = ['appendonly', 'appendfsync'];
const PID_FILE = 'bench.pid';

/**
 * Starts both over empty directories below `directory`, which must not lie on a memory disk or durability would cost
 * nothing. Servers that an earlier run left behind, because it was killed, are ended first.
 *
 * @throws Error when another run uses the directory, or a server is not as durable as it must be.
 */
export async function openServers(directory: string, say: (line: string) => void): Promise<Servers> {
  await claim(directory);
  const program = await ensureRedis(say);
  const where = (name: string) => join(directory, name);
  const postgres = await startPostgres({ directory: where('postgres'), port: await freePort(), durable: true });
  const redis = await startRedis({ program, directory: where('redis'), port: await freePort(), durable: true });
  const client = new Redis(redis.url, { maxRetriesPerRequest: 1 });
  await migrate(postgres.url);
  const template = new URL(postgres.url).pathname.slice(1);
  const adminUrl = databaseAt(postgres.url, 'postgres');
  const settings = { ...(await postgresSettings(adminUrl)), ...(await redisSettings(client)) };
  requireDurability(settings);
  return {
    settings,
    postgres: { pid: postgres.pid, withChildren: true },
    redis: { pid: redis.pid },
    async createDatabase(name) {
      // One that was killed leaves its own behind.
      await query(adminUrl, `drop database if exists ${name} with (force)`);
      await query(adminUrl, `create database ${name} template ${template}`);
      return databaseAt(postgres.url, name);
    },
    redisUrl: (database) => `${redis.url}/${database}`,
    async flushRedis() {
      await client.flushall();
    },
    async close() {
      client.disconnect();
      await Promise.all([postgres.stop(), redis.stop()]);
      clear(directory);
    },
  };
}

/** Two runs in one directory would end each other's servers. The number in the file may by now be anybody's. */
async function claim(directory: string): Promise<void> {
  mkdirSync(directory, { recursive: true });
  const file = join(directory, PID_FILE);
  const pid = Number(readIfThere(file));
  if (pid > 0 && pid !== process.pid && (await commandOf(pid))?.includes(join('bench', 'src', 'main.ts'))) {
    throw new Error(`Another benchmark is running: process ${pid}.`);
  }
  writeFileSync(file, String(process.pid));
}

function clear(directory: string): void {
  for (const name of readdirSync(directory)) rmSync(join(directory, name), { recursive: true, force: true });
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}

function databaseAt(serverUrl: string, database: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  return url.href;
}

async function postgresSettings(url: string): Promise<Record<string, string>> {
  const names = POSTGRES_SETTINGS.map((name) => `'${name}'`).join(', ');
  const rows = await query<{ name: string; setting: string }>(
    url,
    `select name, setting from pg_settings where name in (${names})`,
  );
  return Object.fromEntries(rows.map(({ name, setting }) => [name, setting]));
}

async function redisSettings(client: Redis): Promise<Record<string, string>> {
  const settings: Record<string, string> = {};
  for (const name of REDIS_SETTINGS) {
    const [, value = ''] = (await client.config('GET', name)) as string[];
    settings[name] = value;
  }
  const [, version = ''] = /redis_version:(\S+)/.exec(await client.info('server')) ?? [];
  return { ...settings, redis_version: version };
}

function requireDurability(settings: Record<string, string>): void {
  const wanted = { fsync: 'on', synchronous_commit: 'on', appendonly: 'yes', appendfsync: 'everysec' };
  for (const [name, value] of Object.entries(wanted)) {
    if (settings[name] !== value) throw new Error(`${name} is ${settings[name]} and must be ${value}.`);
  }
}
