import type { Cluster, Redis } from 'ioredis';
import type { CommandConnection } from '../connection';
import type { RedisClient } from './open-redis';

/** One server. */
type RedisNode = Redis;

/** The servers that take writes: the known primaries of a cluster, else the one server. */
export function nodesOf(redis: RedisClient): RedisNode[] {
  return redis.isCluster ? (redis as Cluster).nodes('master') : [redis as Redis];
}

/** A server as it describes itself; undefined: it does not say. */
export interface RedisServer {
  role: string | undefined;
  /** How it acts when its memory is full: `noeviction`, or a way to remove keys. */
  evictionPolicy: string | undefined;
  /** Valkey and others name the version of Redis that they are compatible with. */
  version: string | undefined;
  usedBytes: number;
  /** Zero: there is no limit. */
  maxBytes: number;
  /** Whether it has an append-only file. `broken`: its last write to the disk failed, so that it may take no jobs. */
  persistence: 'on' | 'off' | 'broken';
  /** Its clock, in microseconds since 1970; undefined: it does not say. */
  timeUs: number | undefined;
}

/** Describes the server, or all servers of a cluster that take writes. */
export function readRedisServers(redis: RedisClient): Promise<RedisServer[]> {
  return Promise.all(
    nodesOf(redis).map(async (node) => {
      const text = await node.info();
      const timeUs = fieldOf('server_time_usec', text);
      return {
        role: fieldOf('role', text),
        evictionPolicy: fieldOf('maxmemory_policy', text),
        version: fieldOf('redis_version', text),
        usedBytes: Number(fieldOf('used_memory', text) ?? 0),
        maxBytes: Number(fieldOf('maxmemory', text) ?? 0),
        persistence: persistenceIn(text),
        timeUs: timeUs === undefined ? undefined : Number(timeUs),
      };
    }),
  );
}

function persistenceIn(info: string): RedisServer['persistence'] {
  const isBroken = ['aof_last_write_status', 'rdb_last_bgsave_status'].some((name) => fieldOf(name, info) === 'err');
  if (isBroken) return 'broken';
  return fieldOf('aof_enabled', info) === '1' ? 'on' : 'off';
}

function fieldOf(name: string, info: string): string | undefined {
  return new RegExp(`^${name}:(\\S+)`, 'm').exec(info)?.[1];
}

const SCANNED_AT_ONCE = 1000;

/** Removes every key below a prefix from one server. */
export async function clearKeys({ command }: CommandConnection, node: RedisNode, prefix: string): Promise<void> {
  let cursor = '0';
  do {
    const scan = () => node.scan(cursor, 'MATCH', `${prefix}:*`, 'COUNT', SCANNED_AT_ONCE);
    const [next, keys] = await command(scan);
    if (keys.length > 0) await command(() => node.unlink(...keys));
    cursor = next;
  } while (cursor !== '0');
}
