import { type Catalogue, createPriceBook } from '@mediagate/catalog';
import { openDatabase } from '@mediagate/database';
import { createGuardedClient } from '@mediagate/egress';
import { loadConfig, run, type Scope } from '@mediagate/host';
import { createMessages } from '@mediagate/languages';
import { createLinks, openMediaStore } from '@mediagate/media';
import { openQueues } from '@mediagate/queue';
import type { Settings } from '@mediagate/settings';
import { createHttpClient, createModerator } from '@mediagate/upstreams';
import { assembleApp } from './assemble-app';
import { apiSettings, readSettings } from './config';
import { createOfferedModels, type OfferedModels } from './offered-models';
import { openRateLimitStore } from './rate-limit-store';
import { listen } from './server';
import { createReviewContent } from './use-cases/review-content';

const STATEMENT_TIMEOUT_MS = 3_000;

void run('api', async (scope) => {
  const { logger, metrics } = scope;
  const config = loadConfig(apiSettings);
  const publicBaseUrl = (config.PUBLIC_BASE_URL ?? `http://127.0.0.1:${config.PORT}`).replace(/\/+$/, '');
  const http = createHttpClient();
  scope.defer('upstream connections', () => http.close());
  const moderator = createModerator(http);
  const read = () => readSettings(config.MEDIAGATE_CONFIG, new Set([moderator.protocol]));
  const { settings, catalogue } = read();
  const { channels, ...followed } = followSettings(scope, catalogue, settings, () => read().settings);

  const database = openDatabase({
    ...{ url: config.DATABASE_URL, poolSize: config.API_POOL_SIZE, statementTimeoutMs: STATEMENT_TIMEOUT_MS },
    applicationName: 'mediagate-api',
  });
  scope.defer('database', () => database.close());
  scope.addReadinessCheck('database', () => database.ping());
  const queues = openQueues({
    ...{ redisUrl: config.REDIS_URL, prefix: config.REDIS_PREFIX },
    onError: (error) => logger.debug('queue.error', { error }),
  });
  scope.defer('queues', () => queues.close());
  const redis = openRateLimitStore(config.REDIS_URL, logger);
  scope.defer('rate limits', () => redis.disconnect());
  const linkSecret = config.MEDIAGATE_LINK_SECRET;
  const mediaStore = await openMediaStore(database, {
    ...{ storage: settings.storage, home: config.MEDIAGATE_HOME, publicBaseUrl, linkSecret },
  });

  const app = assembleApp({
    ...{ database, queues, redis, mediaStore, logger, metrics, publicBaseUrl },
    links: createLinks({ publicBaseUrl, secret: linkSecret }),
    redisPrefix: config.REDIS_PREFIX,
    client: createGuardedClient({ ...settings.media, allowOrigins: [] }),
    ...followed,
    messages: createMessages({ onFailure: (error) => logger.warn('translation.failed', { error }) }),
    reviewContent: createReviewContent({ moderator, channels, logger }),
    pepper: config.MEDIAGATE_KEY_PEPPER,
    creditsPerUnit: config.CREDITS_PER_UNIT,
    legacyPrefix: config.IMGTOOL_LEGACY_PREFIX,
  });
  const server = await listen(app, { port: config.PORT, host: config.HOST });
  scope.onDrain('requests', () => server.drain());
  logger.info('api.listening', { port: server.port });
});

/** What of the file may change while the service runs, read again on SIGHUP. */
function followSettings(scope: Scope, catalogue: Catalogue, settings: Settings, read: () => Settings) {
  const use = ({ channels, prices, webhooks }: Settings) => ({
    channels,
    models: createOfferedModels(catalogue, channels, createPriceBook(prices)),
    webhookClient: createGuardedClient(webhooks),
  });
  let current = use(settings);
  scope.onReload('models, prices and webhook rules', () => {
    current = use(read());
  });
  return {
    channels: () => current.channels,
    models: (): OfferedModels => current.models,
    webhookClient: { checkUrl: (url: string) => current.webhookClient.checkUrl(url) },
  };
}
