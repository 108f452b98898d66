import { createAnnouncedEnds } from '@mediagate/channels';
import { type Database, openOwnDatabase, watchDatabase } from '@mediagate/database';
import type { Scope } from '@mediagate/host';
import { openOwnQueues } from '@mediagate/queue';
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

/** Upstreams that the API calls itself; workers call all others. */
export function openUpstreams(scope: Scope, { TEXT_CONNECTIONS: maxConnections }: ApiConfig, lookupFor: LookupFor) {
  const ends = createAnnouncedEnds(scope.logger);
  const { heed } = ends;
  const http = createHttpClient({ lookupFor, heed });
  scope.defer('upstream connections', () => http.close());
  const perOwner = Math.ceil(maxConnections / 2);
  const streams = createStreamingClient({ maxConnections, perOwner, lookupFor, heed });
  scope.defer('upstream streams', () => streams.close());
  const gemini = createGeminiText({ streams, http });
  return { ends, moderator: createModerator({ http }), gemini, texts: [gemini, createOpenAiChatText(streams)] };
}

export async function openBooks(scope: Scope, config: ApiConfig): Promise<Database> {
  const { API_POOL_SIZE: poolSize } = config;
  const statementTimeoutMs = STATEMENT_TIMEOUT_MS;
  const database = await openOwnDatabase(scope, { service: 'api', config, poolSize, statementTimeoutMs });
  watchDatabase(scope.metrics, database);
  return database;
}

/** Opens queues and rate limits: a connection each, made while the database answers. */
export function openRedis(scope: Scope, config: ApiConfig, { rateLimitMs }: { rateLimitMs?: number }) {
  const queues = openOwnQueues(scope, config);
  const redis = openRateLimitStore(config.REDIS_URL, scope.logger, rateLimitMs);
  scope.defer('rate limits', () => redis.disconnect());
  return { queues, redis };
}
