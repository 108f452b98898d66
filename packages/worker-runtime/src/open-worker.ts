import { createFinisher } from '@mediagate/billing';
import { createChannelBook, followSettings } from '@mediagate/channels';
import { openDatabase, warnOfRoleSettings } from '@mediagate/database';
import { createGuardedClient } from '@mediagate/egress';
import { type Config, type Scope, visibleSettings } from '@mediagate/host';
import { createMediaLoader, createOutputFetcher, openMediaStore } from '@mediagate/media';
import { openQueues, type Queues } from '@mediagate/queue';
import { openChannel, openSettings } from '@mediagate/settings';
import { openStreamSender } from '@mediagate/streams';
import { createStepWrites, createTaskClaimer } from '@mediagate/tasks';
import { createAdapters, createHttpClient, createStreamingClient } from '@mediagate/upstreams';
import { createInspectedFiles } from './inspected-files';
import { openFfmpeg } from './open-ffmpeg';
import type { FamilyProfile } from './profile';
import { createWaitingSlots } from './waiting-slots';
import type { WorkerDeps } from './worker-deps';
import { createWorkerMetrics } from './worker-metrics';
import { workerSettings } from './worker-settings';

const STATEMENT_TIMEOUT_MS = 10_000;

/** Opens everything that a worker of any family needs, and defers its closing to the scope. */
export async function openWorker(
  scope: Scope,
  profile: FamilyProfile,
  config: Config<typeof workerSettings>,
): Promise<{ deps: WorkerDeps; queues: Queues }> {
  const { logger } = scope;
  const concurrency = config.WORKER_CONCURRENCY ?? profile.concurrency;
  logger.info('process.settings', { family: profile.family, settings: visibleSettings(workerSettings, config) });
  const ffmpeg = profile.needsFfmpeg ? await openFfmpeg(config.FFMPEG_PATH, logger) : undefined;
  const database = openDatabase({
    url: config.DATABASE_URL,
    poolSize: config.DATABASE_POOL_SIZE,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    applicationName: `mediagate-${profile.family}`,
  });
  scope.defer('database', () => database.close());
  void warnOfRoleSettings({ database, url: config.DATABASE_URL, logger });
  const onError = (error: Error) => logger.debug('queue.error', { error });
  const queues = openQueues({ redisUrl: config.REDIS_URL, prefix: config.REDIS_PREFIX, onError });
  scope.defer('queues', () => queues.close());
  const http = createHttpClient();
  scope.defer('upstream connections', () => http.close());
  const streams = createStreamingClient({ maxConnections: concurrency });
  scope.defer('upstream streams', () => streams.close());

  const { channels, current } = followSettings(scope, () => openSettings(config.MEDIAGATE_CONFIG, process.env));
  const { settings, catalogue } = current();
  const adapters = createAdapters({ http, streams, runFfmpeg: ffmpeg?.run });
  const channelBook = createChannelBook({
    database,
    sources: () => current().settings.channelSources,
    open: (source) => openChannel(source, process.env),
  });

  const client = createGuardedClient({ ...settings.media, allowOrigins: [] });
  const store = await openMediaStore(database, {
    storage: settings.storage,
    home: config.MEDIAGATE_HOME,
    publicBaseUrl: config.PUBLIC_BASE_URL,
    linkSecret: config.MEDIAGATE_LINK_SECRET,
  });
  scope.addReadinessCheck('database', () => database.ping());
  scope.addReadinessCheck('redis', () => queues.ping());

  const isSynchronous = catalogue.entries.some((entry) => entry.synchronous && entry.family === profile.family);
  const streamSender =
    isSynchronous && openStreamSender({ redisUrl: config.REDIS_URL, prefix: config.REDIS_PREFIX, onError });
  if (streamSender) scope.defer('streams to callers', () => streamSender.close());

  const leaseMs = config.LEASE_SECONDS * 1000;
  const deps: WorkerDeps = {
    profile,
    logger,
    catalogue,
    channels,
    channelBook,
    adapters,
    leaseMs,
    store,
    queue: queues,
    inFlight: new Map(),
    slots: createWaitingSlots(concurrency),
    inspectedFiles: createInspectedFiles(),
    metrics: createWorkerMetrics(scope.metrics),
    claim: createTaskClaimer(database, leaseMs),
    writes: createStepWrites(database),
    finish: createFinisher(database),
    loadMedia: createMediaLoader({
      client,
      store,
      maxImageBytes: settings.media.maxImageMb * 1024 * 1024,
      fileTimeoutMs: settings.media.downloadTimeoutSeconds * 1000,
    }),
    fetchOutput: createOutputFetcher({ client, ...(ffmpeg && { ffmpeg }) }),
    ...(streamSender && { streamSender }),
  };
  return { deps, queues };
}
