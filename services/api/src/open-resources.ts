import { checkConnections, type Database, openDatabase, warnOfRoleSettings } from '@mediagate/database';
import type { Scope } from '@mediagate/host';
import { watchDatabase } from '@mediagate/metrics';
import { openQueues, warnOfRedis } from '@mediagate/queue';
import { openStreamReceiver, type StreamTiming } from '@mediagate/streams';
import {
  createGeminiText,
  createHttpClient,
  createModerator,
  createOpenAiChatText,
  createStreamingClient,
  type LookupFor,
} from '@mediagate/upstreams';
import type { ApiConfig } from './config';
import { openRateLimitStore } from './rate-limit-store';
import { STATEMENT_TIMEOUT_MS } from './request-limits';

/** Whom the API calls itself; all others are called by workers. */
export function openUpstreams(scope: Scope, { TEXT_CONNECTIONS: maxConnections }: ApiConfig, lookupFor: LookupFor) {
  const http = createHttpClient({ lookupFor });
  scope.defer('upstream connections', () => http.close());
  const streams = createStreamingClient({ maxConnections, lookupFor });
  scope.defer('upstream streams', () => streams.close());
  const gemini = createGeminiText({ streams, http });
  return { moderator: createModerator({ http }), gemini, texts: [gemini, createOpenAiChatText(streams)] };
}

export async function openBooks(scope: Scope, config: ApiConfig): Promise<Database> {
  const { DATABASE_URL: url, API_POOL_SIZE: poolSize } = config;
  const applicationName = 'mediagate-api';
  const database = openDatabase({ url, poolSize, statementTimeoutMs: STATEMENT_TIMEOUT_MS, applicationName });
  scope.defer('database', () => database.close());
  await checkConnections({ database, config, poolSize, logger: scope.logger });
  void warnOfRoleSettings({ database, url, logger: scope.logger });
  scope.addReadinessCheck('database', () => database.ping());
  watchDatabase(scope.metrics, database);
  return database;
}

/** Queues, rate limits, and what workers say to whoever waits for speech: a connection each. */
export function openRedis(
  scope: Scope,
  { REDIS_URL: redisUrl, REDIS_PREFIX: prefix }: ApiConfig,
  { streams: timing = {}, rateLimitMs }: { streams?: Partial<StreamTiming>; rateLimitMs?: number },
) {
  const { logger } = scope;
  const queues = openQueues({ redisUrl, prefix, onError: (error) => logger.debug('queue.error', { error }) });
  scope.defer('queues', () => queues.close());
  void warnOfRedis({ queues, logger });
  const redis = openRateLimitStore(redisUrl, logger, rateLimitMs);
  scope.defer('rate limits', () => redis.disconnect());
  const streams = openStreamReceiver({
    redisUrl,
    prefix,
    timing,
    onError: (error) => logger.debug('streams.error', { error }),
  });
  scope.defer('streams of speech', () => streams.close());
  return { queues, redis, streams };
}
