import { nodesOf } from './nodes';
import type { RedisClient } from './open-redis';

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
