import {
  deliver,
  followSendingRules,
  openSender,
  releaseWaiting,
  type SendingRules,
  type WebhookSettings,
} from '@mediagate/callbacks';
import { type Catalogue, currentCatalogue } from '@mediagate/catalog';
import {
  createCallMetrics,
  createTextTranslator,
  type FollowedConfiguration,
  followConfiguration,
  knownLabels,
  watchChannels,
} from '@mediagate/channels';
import { openOwnDatabase, watchDatabase } from '@mediagate/database';
import { type Config, loadConfig, type Scope, type Service, visibleSettings } from '@mediagate/host';
import type { Translator } from '@mediagate/languages';
import { openOwnQueues } from '@mediagate/queue';
import { createSettingsReader } from '@mediagate/settings';
import { createGeminiText, createHttpClient, type LookupFor, type TextUpstream } from '@mediagate/upstreams';
import type { Registry } from 'prom-client';
import { deliverySettings } from './config';

const STATEMENT_TIMEOUT_MS = 10_000;

export const service: Service = { name: 'webhook-delivery', main };

async function main(scope: Scope): Promise<void> {
  const { logger } = scope;
  const config = loadConfig(deliverySettings);
  logger.info('process.settings', { settings: visibleSettings(deliverySettings, config) });
  const { DATABASE_POOL_SIZE: poolSize, DELIVERY_CONCURRENCY: concurrency } = config;
  const statementTimeoutMs = STATEMENT_TIMEOUT_MS;
  const database = await openOwnDatabase(scope, { service: service.name, config, poolSize, statementTimeoutMs });
  watchDatabase(scope.metrics, database);
  const queues = openOwnQueues(scope, config);

  const upstream = openTexts(scope, (origin) => followed.lookupFor(origin));
  const keysOf = new Set([upstream.protocol]);
  const read = createSettingsReader(config.MEDIAGATE_CONFIG, process.env, { keysOf });
  const followed = await followConfiguration(scope, { database, config, read, keysOf });
  watchChannels(scope.metrics, { channels: followed.channels, openChannels: () => followed.inForce().channels });
  const sender = openSender({
    database,
    queue: queues,
    logger,
    metrics: scope.metrics,
    rules: rulesOf(config, () => followed.inForce().webhooks),
    translator: openTranslator(scope.metrics, { ...followed, upstream }),
    creditsPerUnit: config.CREDITS_PER_UNIT,
    concurrency,
  });
  const consumer = queues.consumeDeliveries((job) => deliver(sender, job), { concurrency });
  scope.addLivenessCheck('deliveries', () => consumer.isAlive());
  scope.onDrain('deliveries', async () => {
    await consumer.pause();
    await releaseWaiting(sender);
    await consumer.close();
    await sender.line.ended();
  });
  scope.addReadinessCheck('redis', () => queues.ping('deliveries'));
}

function rulesOf(config: Config<typeof deliverySettings>, read: () => WebhookSettings): () => SendingRules {
  return followSendingRules(read, {
    ownHosts: [new URL(config.PUBLIC_BASE_URL).hostname, ...config.OWN_HOSTS],
    allowOrigins: config.CALLBACK_ALLOW_ORIGINS,
    maxConnections: config.DELIVERY_CONCURRENCY,
  });
}

interface TranslatorParts extends Pick<FollowedConfiguration<{ catalogue: Catalogue }>, 'channels' | 'current'> {
  upstream: TextUpstream;
}

function openTexts(scope: Scope, lookupFor: LookupFor): TextUpstream {
  const http = createHttpClient({ lookupFor });
  scope.defer('upstream connections', () => http.close());
  return createGeminiText(http);
}

/** By the text models of the catalogue, each call of which is measured. */
function openTranslator(metrics: Registry, { channels, current, upstream }: TranslatorParts): Translator {
  const catalogue = currentCatalogue(() => current().catalogue);
  const models = catalogue.entries.flatMap(({ id, family }) => (family === 'text' ? [id] : []));
  const calls = createCallMetrics(metrics, knownLabels({ catalogue, channels }));
  return createTextTranslator({ channels, upstream, models, calls });
}
