import { createAnnouncedEnds } from '@mediagate/channels';
import { type Database, openOwnDatabase, watchDatabase } from '@mediagate/database';
import type { Scope } from '@mediagate/host';
import {
  createLinks,
  createProber,
  createWorkFolders,
  linkSecretsOf,
  openMediaStore,
  watchStorage,
  workFolderOf,
} from '@mediagate/media';
import { openOwnQueues } from '@mediagate/queue';
import type { Settings } from '@mediagate/settings';
import {
  createGeminiText,
  createHttpClient,
  createModerator,
  createOpenAiChatText,
  type LookupFor,
} from '@mediagate/upstreams';
import type { ApiConfig } from './config';
import { ByteShares } from './http/body/byte-shares';
import { openRateLimitStore } from './rate-limit-store';
import { FILES_ON_DISK, STATEMENT_TIMEOUT_MS } from './request-limits';

/** Upstreams that the API calls itself; workers call all others. */
export function openUpstreams(scope: Scope, { TEXT_CONNECTIONS: maxConnections }: ApiConfig, lookupFor: LookupFor) {
  const ends = createAnnouncedEnds(scope.logger);
  const { heed } = ends;
  const streamed = { maxConnections, perOwner: Math.ceil(maxConnections / 2) };
  const http = createHttpClient({ streamed, lookupFor, heed });
  scope.defer('upstream connections', () => http.close());
  const gemini = createGeminiText(http);
  return { ends, moderator: createModerator({ http }), gemini, texts: [gemini, createOpenAiChatText(http)] };
}

export async function openBooks(scope: Scope, config: ApiConfig, connectTimeoutMs?: number): Promise<Database> {
  const limits = { poolSize: config.API_POOL_SIZE, statementTimeoutMs: STATEMENT_TIMEOUT_MS, connectTimeoutMs };
  const database = await openOwnDatabase(scope, { service: 'api', config, ...limits });
  watchDatabase(scope.metrics, database);
  return database;
}

/** Opens queues and rate limits: a connection each, made while the database answers. */
export function openQueuesAndRates(scope: Scope, config: ApiConfig, rateLimitMs: number | undefined) {
  const queues = openOwnQueues(scope, config);
  const redis = openRateLimitStore(config.REDIS_URL, scope.logger, rateLimitMs);
  scope.defer('rate limits', () => redis.disconnect());
  return { queues, redis };
}

/** Where files of callers go, by which links they are read, and how those that arrive are judged. */
export async function openMedia(
  scope: Scope,
  { storage, media }: Settings,
  { database, config, publicBaseUrl }: { database: Database; config: ApiConfig; publicBaseUrl: string },
) {
  const mediaStore = await openMediaStore(scope, database, { storage, config, publicBaseUrl });
  const { health } = mediaStore;
  watchStorage(scope.metrics, health);
  return {
    mediaStore,
    links: createLinks({ publicBaseUrl, secrets: linkSecretsOf(config) }),
    callerFiles: {
      makeFolder: createWorkFolders({ root: workFolderOf(config) }),
      disk: new ByteShares(FILES_ON_DISK),
      health,
    },
    maxImageBytes: media.maxImageMb * 1024 * 1024,
    prober: createProber(),
  };
}
