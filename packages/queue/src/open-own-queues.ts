import { retry } from '@mediagate/concurrency';
import { openQueues, type Queues } from './queues';
import type { RedisServer } from './redis/servers';

/** The service's process that owns the queues: they are closed with it. */
interface QueuesOwner {
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

export interface RedisCheck {
  queues: { servers(): Promise<Parameters<typeof judgeRedis>[0]> };
  logger: { warn(event: string, fields: { detail: string }): void };
  /** Ends the check without a log line. */
  signal?: AbortSignal;
  /** How long to try a Redis that does not answer: it may start later than the process does. Default: a minute. */
  withinMs?: number;
}

const WITHIN_MS = 60_000;

/**
 * Warns of a Redis that removes keys when its memory is full, and of one that takes no writes. Neither loses a task, so that neither
 * is a reason not to start: a job that was removed is enqueued again from its row, late. Never throws.
 */
export async function warnOfRedis({ queues, logger, signal, withinMs = WITHIN_MS }: RedisCheck): Promise<void> {
  try {
    const servers = await retry(() => queues.servers(), {
      firstPauseMs: Math.min(500, withinMs / 4),
      maxPauseMs: 5000,
      withinMs,
      signal,
      unref: true,
      isWorthRetrying: () => signal?.aborted !== true,
    });
    for (const { event, detail } of judgeRedis(servers)) logger.warn(event, { detail });
  } catch {
    if (signal?.aborted) return;
    logger.warn('redis.not_checked', { detail: `Redis has not answered within ${Math.round(withinMs / 1000)} s` });
  }
}

/** Lists the reasons for which operators have to change the servers that Redis consists of. */
export function judgeRedis(servers: readonly Pick<RedisServer, 'role' | 'evictionPolicy'>[]) {
  const policies = evictingPolicies(servers);
  return [
    ...(policies === undefined ? [] : [{ event: 'redis.evicts', detail: evicts(policies) }]),
    ...(servers.some(({ role }) => role === 'slave') ? [{ event: 'redis.is_replica', detail: IS_REPLICA }] : []),
  ];
}

/** The policies by which servers remove keys when their memory is full, with commas between them; undefined: none does. */
export function evictingPolicies(servers: readonly Pick<RedisServer, 'evictionPolicy'>[]): string | undefined {
  const policies = new Set(servers.map(({ evictionPolicy }) => evictionPolicy));
  policies.delete('noeviction');
  policies.delete(undefined);
  return policies.size === 0 ? undefined : [...policies].join(', ');
}

function evicts(policies: string): string {
  return `maxmemory-policy is ${policies}: jobs and streams of speech are removed when its memory is full, so that tasks wait for the reconciler and speech breaks off; set it to noeviction`;
}

const IS_REPLICA =
  'REDIS_URL leads to a replica, which takes no jobs: name the primary, or Sentinels (redis+sentinel://)';
