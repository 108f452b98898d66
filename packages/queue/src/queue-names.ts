import { FAMILIES, type Family } from '@mediagate/contracts';
import { isRedisCluster } from './redis/redis-address';

export const DELIVERIES = 'deliveries';

export type QueueName = Family | typeof DELIVERIES;

/** Every queue of a deployment, for pages and metrics. */
export const QUEUE_NAMES: readonly QueueName[] = [...FAMILIES, DELIVERIES];

/**
 * What the keys of a queue begin with. A cluster keeps on one server what has the same words in braces, as BullMQ's scripts need it of
 * a queue; each queue has its own there, so that queues are on several servers. Elsewhere all have the same.
 */
export function queuePrefixes(redisUrl: string, prefix = 'mediagate'): (name: string) => string {
  return isRedisCluster(redisUrl) ? (name) => `{${prefix}:${name}}` : () => `{${prefix}}`;
}
