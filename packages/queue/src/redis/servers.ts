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
}

/** Describes the server, or all servers of a cluster that take writes. */
export function readRedisServers(redis: RedisClient): Promise<RedisServer[]> {
  return Promise.all(
    nodesOf(redis).map(async (node) => {
      const text = await node.info();
      return { role: fieldOf('role', text), evictionPolicy: fieldOf('maxmemory_policy', text) };
    }),
  );
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
