import type { Logger } from '@mediagate/host';
import { openRedis, type RedisClient } from '@mediagate/queue';

/** A Redis that takes longer than this to count is no help; see `http/limits/rate-limit.ts` for what happens then. */
const COMMAND_TIMEOUT_MS = 250;
const RECONNECT_MAX_MS = 2_000;
/** A connection on which nothing was answered for so long is given up for another. */
const SILENCE_MS = 3_000;

/**
 * The connection of the rate limits: every command has a time limit, and none waits for a connection.
 *
 * @param commandTimeoutMs of one command.
 */
export function openRateLimitStore(url: string, logger: Logger, commandTimeoutMs = COMMAND_TIMEOUT_MS): RedisClient {
  const redis = openRedis(url, {
    commandTimeout: commandTimeoutMs,
    connectTimeout: commandTimeoutMs * 4,
    enableOfflineQueue: false,
    // Every request counts twice here; what is counted in one turn of the event loop goes out in one write.
    enableAutoPipelining: true,
    maxRetriesPerRequest: 0,
    socketTimeout: SILENCE_MS,
    retryStrategy: (times) => Math.min(50 * 2 ** Math.min(times, 6), RECONNECT_MAX_MS),
  });
  redis.on('error', (error) => logger.debug('rate_limit.connection', { error }));
  return redis;
}
