import '@mediagate/require-node';
import { setTimeout as delay } from 'node:timers/promises';
import { createFinisher } from '@mediagate/billing';
import { type Catalogue, createPriceBook } from '@mediagate/catalog';
import { createChannelChooser, createTextTranslator } from '@mediagate/channels';
import { openDatabase, warnOfRoleSettings } from '@mediagate/database';
import { createGuardedClient } from '@mediagate/egress';
import { loadConfig, run, type Scope } from '@mediagate/host';
import { createMessages } from '@mediagate/languages';
import { type LiveReceiver, openLiveReceiver } from '@mediagate/live';
import { createLinks, openMediaStore } from '@mediagate/media';
import { openQueues } from '@mediagate/queue';
import type { Settings } from '@mediagate/settings';
import { createTaskReader, renewSubmitterLeases } from '@mediagate/tasks';
import { createGeminiText, createHttpClient, createModerator, createStreamingClient } from '@mediagate/upstreams';
import { assembleApp } from './assemble-app';
import { apiSettings, readSettings } from './config';
import { createRequestScopes } from './http/request-scope';
import { createShutdown } from './http/shutdown';
import { createOfferedModels, type OfferedModels } from './offered-models';
import { openRateLimitStore } from './rate-limit-store';
import { TEXT_LINGER_MS } from './request-limits';
import { listen } from './server';
import { createReviewContent } from './use-cases/review-content';
import { createSpeeches } from './use-cases/speech/speeches';
import { createSettlements } from './use-cases/text/settlements';
import { createTextChannels } from './use-cases/text/text-channels';
import { keepTextLeases } from './use-cases/text/text-leases';

const STATEMENT_TIMEOUT_MS = 3_000;
const LIVE_START_MS = 3_000;
const LIVE_LOOK_MS = 20;
/**
 * After the last answer of a shutdown. A text whose caller left just before may be read on for all of the first, and then
 * needs one try of the statement that settles it. A database that is away for longer is not waited for.
 */
const SETTLEMENT_DRAIN_MS = TEXT_LINGER_MS + STATEMENT_TIMEOUT_MS;

void run('api', async (scope) => {
  const { logger, metrics } = scope;
  const config = loadConfig(apiSettings);
  const publicBaseUrl = (config.PUBLIC_BASE_URL ?? `http://127.0.0.1:${config.PORT}`).replace(/\/+$/, '');
  const http = createHttpClient();
  scope.defer('upstream connections', () => http.close());
  const moderator = createModerator(http);
  const streams = createStreamingClient({ maxConnections: config.TEXT_CONNECTIONS });
  scope.defer('upstream streams', () => streams.close());
  const textUpstream = createGeminiText(streams);
  const read = () => readSettings(config.MEDIAGATE_CONFIG, new Set([moderator.protocol, textUpstream.protocol]));
  const { settings, catalogue } = read();
  logger.info('settings.read', { digest: settings.digest });
  const { channels, chooser, ...followed } = followSettings(scope, catalogue, settings, () => read().settings);

  const database = openDatabase({
    ...{ url: config.DATABASE_URL, poolSize: config.API_POOL_SIZE, statementTimeoutMs: STATEMENT_TIMEOUT_MS },
    applicationName: 'mediagate-api',
  });
  scope.defer('database', () => database.close());
  void warnOfRoleSettings({ database, url: config.DATABASE_URL, logger });
  scope.addReadinessCheck('database', () => database.ping());
  const queues = openQueues({
    ...{ redisUrl: config.REDIS_URL, prefix: config.REDIS_PREFIX },
    onError: (error) => logger.debug('queue.error', { error }),
  });
  scope.defer('queues', () => queues.close());
  const redis = openRateLimitStore(config.REDIS_URL, logger);
  scope.defer('rate limits', () => redis.disconnect());
  const live = openLiveReceiver({
    ...{ redisUrl: config.REDIS_URL, prefix: config.REDIS_PREFIX },
    onError: (error) => logger.debug('live.error', { error }),
  });
  scope.defer('live', () => live.close());
  const readTask = createTaskReader(database);
  const speeches = createSpeeches({
    ...{ live, queues, logger },
    ...{ finish: createFinisher(database), readTask },
  });
  const settlements = createSettlements({ finish: createFinisher(database), readTask, logger, metrics });
  const leases = keepTextLeases({
    ...{ inFlight: settlements.inFlight, logger },
    renew: (ids, leaseMs) => renewSubmitterLeases(database, ids, leaseMs),
  });
  scope.defer('leases of texts', () => leases.stop());
  const linkSecret = config.MEDIAGATE_LINK_SECRET;
  const mediaStore = await openMediaStore(database, {
    ...{ storage: settings.storage, home: config.MEDIAGATE_HOME, publicBaseUrl, linkSecret },
  });

  const shutdown = createShutdown();
  const scopes = createRequestScopes({ logger, metrics });
  scope.onStrayError(scopes.claim);
  const bodyTimeoutMs = config.BODY_TIMEOUT_SECONDS * 1000;
  const app = assembleApp({
    ...{ database, queues, redis, mediaStore, speeches, settlements, shutdown, logger, metrics, publicBaseUrl, scopes },
    bodyPace: { timeoutMs: bodyTimeoutMs, periodMs: config.BODY_PERIOD_SECONDS * 1000 },
    textChannels: createTextChannels({ channels: chooser, upstream: textUpstream }),
    links: createLinks({ publicBaseUrl, secret: linkSecret }),
    redisPrefix: config.REDIS_PREFIX,
    client: createGuardedClient({ ...settings.media, allowOrigins: [] }),
    maxImageBytes: settings.media.maxImageMb * 1024 * 1024,
    ...followed,
    messages: createMessages({
      translator: createTextTranslator({ channels: chooser, upstream: textUpstream, models: textModels(catalogue) }),
      onFailure: (error) => logger.warn('translation.failed', { error }),
    }),
    reviewContent: createReviewContent({ moderator, channels, logger }),
    pepper: config.MEDIAGATE_KEY_PEPPER,
    creditsPerUnit: config.CREDITS_PER_UNIT,
    legacyPrefix: config.IMGTOOL_LEGACY_PREFIX,
  });
  await giveTime(live);
  const server = await listen(app, { port: config.PORT, host: config.HOST, shutdown, bodyTimeoutMs });
  scope.onDrain('requests', async () => {
    await server.drain();
    await settlements.drain(SETTLEMENT_DRAIN_MS);
  });
  scope.onDrain('speeches', () => speeches.drain());
  logger.info('api.listening', { port: server.port });
});

/** What of the file may change while the service runs, read again on SIGHUP. */
function followSettings(scope: Scope, catalogue: Catalogue, settings: Settings, read: () => Settings) {
  const use = ({ channels, prices, webhooks, uploads }: Settings) => ({
    channels,
    uploads,
    models: createOfferedModels(catalogue, channels, createPriceBook(prices)),
    webhookClient: createGuardedClient(webhooks),
  });
  let current = use(settings);
  const chooser = createChannelChooser(current.channels);
  scope.onReload('models, prices, upload quotas and webhook rules', () => {
    const next = read();
    current = use(next);
    chooser.replace(current.channels);
    return { digest: next.digest };
  });
  return {
    chooser,
    channels: () => current.channels,
    models: (): OfferedModels => current.models,
    uploadQuotas: () => current.uploads,
    webhookClient: { checkUrl: (url: string) => current.webhookClient.checkUrl(url) },
  };
}

function textModels({ entries }: Catalogue): string[] {
  return entries.flatMap(({ id, family }) => (family === 'text' ? [id] : []));
}

/** Speech is refused without Redis: whoever comes first should not find it still on its way. All else is served without. */
async function giveTime(live: LiveReceiver): Promise<void> {
  for (let waitedMs = 0; !live.available() && waitedMs < LIVE_START_MS; waitedMs += LIVE_LOOK_MS) {
    await delay(LIVE_LOOK_MS);
  }
}
