import type { Cluster, Redis } from 'ioredis';
import type { RedisClient } from './open-redis';

/** One server. */
export type RedisNode = Redis;

/** What takes writes: of a cluster the primaries that are known, else the one server. */
export function nodesOf(redis: RedisClient): RedisNode[] {
  return redis.isCluster ? (redis as Cluster).nodes('master') : [redis as Redis];
}
