import '@mediagate/require-node';
import { followOverrides, followSettings } from '@mediagate/channels';
import { checkConnections, type Database, openDatabase, warnOfRoleSettings } from '@mediagate/database';
import { type Config, loadConfig, run, type Scope, visibleSettings } from '@mediagate/host';
import { openQueues } from '@mediagate/queue';
import { openSettings } from '@mediagate/settings';
import { createTextTranslator } from '@mediagate/translation';
import { createGeminiText, createStreamingClient } from '@mediagate/upstreams';
import { createSendingRules } from '@mediagate/webhooks';
import { composeDeliverer } from './compose-deliverer';
import { deliverySettings } from './config';

const STATEMENT_TIMEOUT_MS = 10_000;

void run('webhook-delivery', async (scope) => {
  const { logger } = scope;
  const config = loadConfig(deliverySettings);
  logger.info('process.settings', { settings: visibleSettings(deliverySettings, config) });
  const database = await openBooks(scope, config);
  const onError = (error: Error) => logger.debug('queue.error', { error });
  const queues = openQueues({ redisUrl: config.REDIS_URL, prefix: config.REDIS_PREFIX, onError });
  scope.defer('queues', () => queues.close());

  const concurrency = config.DELIVERY_CONCURRENCY;
  const ownHosts = [new URL(config.PUBLIC_BASE_URL).hostname, ...config.OWN_HOSTS];
  const streams = createStreamingClient();
  scope.defer('upstream streams', () => streams.close());
  const upstream = createGeminiText(streams);
  const keysOf = new Set([upstream.protocol]);
  const followed = followSettings(scope, () => {
    const { settings, catalogue } = openSettings(config.MEDIAGATE_CONFIG, process.env, { keysOf });
    const rules = createSendingRules(settings.webhooks, { ownHosts, maxConnections: concurrency });
    return { settings, catalogue, rules };
  });
  const { channels, current } = followed;
  await followOverrides(scope, { database, followed });
  const models = current().catalogue.entries.flatMap(({ id, family }) => (family === 'text' ? [id] : []));
  const deliverer = composeDeliverer({
    database,
    queues,
    logger,
    metrics: scope.metrics,
    rules: () => current().rules,
    translator: createTextTranslator({ channels, upstream, models }),
    creditsPerUnit: config.CREDITS_PER_UNIT,
    concurrency,
  });
  const consumer = queues.consumeDeliveries(deliverer.deliver, { concurrency });
  scope.onDrain('deliveries', async () => {
    await consumer.pause();
    await deliverer.drain();
    await consumer.close();
  });
  scope.addReadinessCheck('redis', () => queues.ping());
});

async function openBooks(scope: Scope, config: Config<typeof deliverySettings>): Promise<Database> {
  const { DATABASE_URL: url, DATABASE_POOL_SIZE: poolSize } = config;
  const database = openDatabase({
    url,
    poolSize,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    applicationName: 'mediagate-webhook-delivery',
  });
  scope.defer('database', () => database.close());
  scope.addReadinessCheck('database', () => database.ping());
  await checkConnections({ database, config, poolSize, logger: scope.logger });
  void warnOfRoleSettings({ database, url, logger: scope.logger });
  return database;
}
