import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { type Counted, cpuMicros } from './cpu';
import { query } from './query';
import type { Servers } from './servers';

/** Everything that a system has done since its start. CPU is in microseconds, by the name of whoever spent it. */
export interface Counters {
  atMs: number;
  cpu: Record<string, number>;
  transactions: number;
  walBytes: number;
  /** Commands, those within scripts included. */
  redisCommands: number;
}

export interface CountedSystem {
  servers: Servers;
  databaseUrl: string;
  /** Services by their names. */
  services: Readonly<Record<string, Counted>>;
}

/** A connection of PostgreSQL that has nothing to do adds its counts up after 10 s. */
const REPORTED_AFTER_MS = 10_500;

/** Reads the counters once every connection has reported what it did. */
export async function readCounters({ servers, databaseUrl, services }: CountedSystem): Promise<Counters> {
  await delay(REPORTED_AFTER_MS);
  const [row] = await query<{ transactions: number; walBytes: number }>(databaseUrl, READ_DATABASE);
  if (row === undefined) throw new Error('PostgreSQL counts nothing');
  const processes = { ...services, postgres: servers.postgres, redis: servers.redis };
  const cpu = Object.entries(processes).map(([name, each]) => [name, cpuMicros([each]) ?? Number.NaN] as const);
  return { atMs: performance.now(), cpu: Object.fromEntries(cpu), ...row, redisCommands: await countCommands(servers) };
}

const READ_DATABASE = `
select (select (xact_commit + xact_rollback)::float8 from pg_stat_database where datname = current_database()) as transactions,
  pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as "walBytes"`;

async function countCommands(servers: Servers): Promise<number> {
  const info = await askRedis(servers, (redis) => redis.info('stats'));
  return Number(/total_commands_processed:(\d+)/.exec(info)?.[1]);
}

export async function databaseBytes(url: string): Promise<number> {
  const [row] = await query<{ bytes: number }>(url, 'select pg_database_size(current_database())::float8 as bytes');
  return row?.bytes ?? Number.NaN;
}

/** Bytes that Redis has in use. */
export async function redisMemory(servers: Servers): Promise<number> {
  const info = await askRedis(servers, (redis) => redis.info('memory'));
  return Number(/used_memory:(\d+)/.exec(info)?.[1]);
}

async function askRedis(servers: Servers, ask: (redis: Redis) => Promise<string>): Promise<string> {
  const redis = new Redis(servers.redisUrl(0));
  try {
    return await ask(redis);
  } finally {
    redis.disconnect();
  }
}
