import type { Queues } from './queues';

export interface RedisCheck {
  queues: Pick<Queues, 'servers'>;
  logger: { warn(event: string, fields: { detail?: string; error?: unknown }): void };
}

/**
 * Warns of a Redis that removes keys when its memory is full, and of one that takes no writes. Neither loses a task, so that neither
 * is a reason not to start: a job that was removed is enqueued again from its row, late. Never throws.
 */
export async function warnOfRedis({ queues, logger }: RedisCheck): Promise<void> {
  try {
    const servers = await queues.servers();
    const policies = new Set(servers.map(({ evictionPolicy }) => evictionPolicy));
    policies.delete('noeviction');
    policies.delete(undefined);
    if (policies.size > 0) logger.warn('redis.evicts', { detail: evicts([...policies].join(', ')) });
    if (servers.some(({ role }) => role === 'slave')) logger.warn('redis.is_replica', { detail: IS_REPLICA });
  } catch (error) {
    logger.warn('redis.not_checked', { error });
  }
}

function evicts(policies: string): string {
  return `maxmemory-policy is ${policies}: jobs and streams of speech are removed when its memory is full, so that tasks wait for the reconciler and speech breaks off; set it to noeviction`;
}

const IS_REPLICA =
  'REDIS_URL leads to a replica, which takes no jobs: name the primary, or Sentinels (redis+sentinel://)';
