import { openQueues, type Queues } from './queues';
import { type RedisCheck, warnOfRedis } from './warn-of-redis';

/** The service's process that owns the queues: they are closed with it. */
export interface QueuesOwner {
  logger: RedisCheck['logger'] & { debug(event: string, fields: { error: Error }): void };
  defer(name: string, close: () => Promise<void>): void;
}

/** Opens the queues as each service has them. A Redis that is away is no reason not to start. */
export function openOwnQueues(owner: QueuesOwner, config: { REDIS_URL: string; REDIS_PREFIX: string }): Queues {
  const { logger } = owner;
  const onError = (error: Error) => logger.debug('queue.error', { error });
  const queues = openQueues({ redisUrl: config.REDIS_URL, prefix: config.REDIS_PREFIX, onError });
  const closing = new AbortController();
  owner.defer('queues', () => {
    closing.abort();
    return queues.close();
  });
  void warnOfRedis({ queues, logger, signal: closing.signal });
  return queues;
}
