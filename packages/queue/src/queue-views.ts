import { Queue } from 'bullmq';
import { openCommandConnection } from './connection';
import { countQueues, type QueueCounts } from './queue-counts';
import { QUEUE_NAMES, queuePrefixes } from './queue-names';
import type { QueuesOptions } from './queues';

/** The queues for somebody who neither enqueues nor consumes. */
export interface QueueViews {
  /** A queue for each of `QUEUE_NAMES`, as Bull Board takes them. */
  queues: readonly Queue[];
  /** @throws Error within 1.5 s when Redis does not answer. */
  counts(): Promise<QueueCounts[]>;
  close(): Promise<void>;
}

/** Opens all queues of a deployment for reading: it changes nothing in Redis. */
export function openQueueViews({ redisUrl, prefix, onError }: QueuesOptions): QueueViews {
  const report = (error: Error) => onError?.(error);
  const { redis, command } = openCommandConnection(redisUrl, report);
  const prefixOf = queuePrefixes(redisUrl, prefix);
  const queues = QUEUE_NAMES.map((name) => {
    const queue = new Queue(name, {
      connection: redis,
      prefix: prefixOf(name),
      skipVersionCheck: true,
      skipWaitingForReady: true,
      skipMetasUpdate: true,
    });
    queue.on('error', report);
    return queue;
  });
  return {
    queues,
    counts: () => command(() => countQueues(redis, queues)),
    async close() {
      await Promise.all(queues.map((queue) => queue.close()));
      redis.disconnect();
    },
  };
}
