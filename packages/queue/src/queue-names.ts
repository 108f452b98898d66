import { FAMILIES, type Family } from '@mediagate/contracts';
import { isRedisCluster } from './redis/redis-address';

export const DELIVERIES = 'deliveries';

export type QueueName = Family | typeof DELIVERIES;

/** Every queue of a deployment, for pages and metrics. */
export const QUEUE_NAMES: readonly QueueName[] = [...FAMILIES, DELIVERIES];

/**
 * Returns the prefix of a queue's keys. A cluster keeps keys with the same words in braces on one server, and BullMQ's scripts need all
 * keys of a queue on one; each queue has its own words there, so that several servers share the queues. Elsewhere all have the same.
 */
export function queuePrefixes(redisUrl: string, prefix = 'mediagate'): (name: string) => string {
  return isRedisCluster(redisUrl) ? (name) => `{${prefix}:${name}}` : () => `{${prefix}}`;
}
