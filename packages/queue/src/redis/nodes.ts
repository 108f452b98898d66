import type { Cluster, Redis } from 'ioredis';
import type { RedisClient } from './open-redis';

/** One server. */
export type RedisNode = Redis;

/** The servers that take writes: the known primaries of a cluster, else the one server. */
export function nodesOf(redis: RedisClient): RedisNode[] {
  return redis.isCluster ? (redis as Cluster).nodes('master') : [redis as Redis];
}
