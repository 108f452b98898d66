import { type Database, openOwnDatabase, watchDatabase } from '@mediagate/database';
import type { Scope } from '@mediagate/host';
import { openOwnQueues } from '@mediagate/queue';
import { openStreamReceiver, readDirectAddress, type StreamTiming } from '@mediagate/streams';
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
  const perOwner = Math.ceil(maxConnections / 2);
  const streams = createStreamingClient({ maxConnections, perOwner, lookupFor });
  scope.defer('upstream streams', () => streams.close());
  const gemini = createGeminiText({ streams, http });
  return { moderator: createModerator({ http }), gemini, texts: [gemini, createOpenAiChatText(streams)] };
}

export async function openBooks(scope: Scope, config: ApiConfig): Promise<Database> {
  const { API_POOL_SIZE: poolSize } = config;
  const statementTimeoutMs = STATEMENT_TIMEOUT_MS;
  const database = await openOwnDatabase(scope, { service: 'api', config, poolSize, statementTimeoutMs });
  watchDatabase(scope.metrics, database);
  return database;
}

/** Queues, rate limits, and what workers say to whoever waits for speech: a connection each, made while the database answers. */
export function openRedis(
  scope: Scope,
  config: ApiConfig,
  { streams: timing = {}, rateLimitMs }: { streams?: Partial<StreamTiming>; rateLimitMs?: number },
) {
  const { logger } = scope;
  const { REDIS_URL: redisUrl, REDIS_PREFIX: prefix, SPEECH_LISTEN: listen, SPEECH_ADVERTISE: advertise } = config;
  const direct = readDirectAddress({ listen, advertise, redisUrl });
  const queues = openOwnQueues(scope, config);
  const redis = openRateLimitStore(redisUrl, logger, rateLimitMs);
  scope.defer('rate limits', () => redis.disconnect());
  const streams = openStreamReceiver({
    redisUrl,
    prefix,
    timing,
    direct,
    onError: (error) => logger.debug('streams.error', { error }),
    onNotListening: (error) => logger.warn('speech.not_listening', { error }),
  });
  scope.defer('streams of speech', () => streams.close());
  return { queues, redis, streams };
}
