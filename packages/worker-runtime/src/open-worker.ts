import { createFinisher, type EndedTask } from '@mediagate/billing';
import type { Catalogue } from '@mediagate/catalog';
import {
  ChannelPaces,
  createChannelBook,
  followOverrides,
  followSettings,
  openVendorSealer,
} from '@mediagate/channels';
import { FAMILY_TRAITS, type JsonObject } from '@mediagate/contracts';
import { checkConnections, type Database, openDatabase, warnOfRoleSettings } from '@mediagate/database';
import { createGuardedClient } from '@mediagate/egress';
import { type Config, type Scope, visibleSettings } from '@mediagate/host';
import { createMediaLoader, createOutputFetcher, openMediaStore } from '@mediagate/media';
import { createEndMetrics, knownLabels, watchChannels, watchDatabase, watchOverrides } from '@mediagate/metrics';
import { openQueues, type Queues } from '@mediagate/queue';
import {
  type Channel,
  createPartReader,
  openChannel,
  openSettings,
  type PartReader,
  type Settings,
  type StoredSecrets,
} from '@mediagate/settings';
import { openStreamSender, type StreamTiming } from '@mediagate/streams';
import { createStepWrites, createTaskClaimer, passSlotsOn } from '@mediagate/tasks';
import {
  type Adapter,
  type Clients,
  createAdapters,
  createHttpClient,
  createStreamingClient,
  type StreamingClient,
} from '@mediagate/upstreams';
import { createInspectedFiles } from './inspected-files';
import { openFfmpeg } from './open-ffmpeg';
import type { FamilyProfile } from './profile';
import { createWaitingSlots } from './waiting-slots';
import type { WorkerDeps } from './worker-deps';
import { createWorkerMetrics } from './worker-metrics';
import { workerSettings } from './worker-settings';

const STATEMENT_TIMEOUT_MS = 10_000;

export type WorkerConfig = Config<typeof workerSettings>;

export interface WorkerClients extends Clients {
  streams: StreamingClient;
}

export interface WorkerOptions {
  profile: FamilyProfile;
  config: WorkerConfig;
  /** Reads the operator's file, at the start and at each reload; default: the file that `config` names. */
  read?: () => { settings: Settings; catalogue: Pick<Catalogue, 'entries' | 'find'> };
  /** Reads what operators have set over the file; default: by the checks of the file. */
  reader?: PartReader;
  /** A channel that neither the file nor an operator has any more, as the database remembers it. */
  openChannel?: (source: JsonObject, ofDatabase: StoredSecrets) => Channel;
  /** By protocol; default: those of `@mediagate/upstreams`. */
  adapters?: (clients: WorkerClients) => ReadonlyMap<string, Adapter>;
  streamTiming?: StreamTiming;
  /** Between two looks at what operators have set. */
  followMs?: number;
}

export interface OpenWorker {
  deps: WorkerDeps;
  queues: Queues;
  /** Tasks in flight at once. */
  concurrency: number;
}

/** Opens everything that a worker of any family needs, and defers its closing to the scope. */
export async function openWorker(scope: Scope, options: WorkerOptions): Promise<OpenWorker> {
  const { profile, config } = options;
  const { logger } = scope;
  const concurrency = config.WORKER_CONCURRENCY ?? profile.concurrency;
  logger.info('process.settings', { family: profile.family, settings: visibleSettings(workerSettings, config) });
  const ffmpeg = FAMILY_TRAITS[profile.family].needsFfmpeg ? await openFfmpeg(config.FFMPEG_PATH, logger) : undefined;
  const database = await openBooks(scope, options);
  const queues = openTaskQueues(scope, config);
  const clients = openClients(scope, concurrency);

  const { settings, catalogue, labels, ...channelDeps } = await followChannels(scope, database, options);
  const client = createGuardedClient({ ...settings.media, allowOrigins: [] });
  const store = await openMediaStore(database, {
    storage: settings.storage,
    home: config.MEDIAGATE_HOME,
    publicBaseUrl: config.PUBLIC_BASE_URL,
    linkSecret: config.MEDIAGATE_LINK_SECRET,
  });

  const isSynchronous = catalogue.entries.some((entry) => entry.synchronous && entry.family === profile.family);
  const leaseMs = config.LEASE_SECONDS * 1000;
  const deps: WorkerDeps = {
    profile,
    logger,
    catalogue,
    ...channelDeps,
    adapters: (options.adapters ?? createAdapters)({ ...clients, runFfmpeg: ffmpeg?.run }),
    leaseMs,
    store,
    queue: queues,
    inFlight: new Map(),
    slots: createWaitingSlots(concurrency),
    inspectedFiles: createInspectedFiles(),
    metrics: createWorkerMetrics(scope.metrics, labels),
    claim: createTaskClaimer(database, leaseMs),
    writes: createStepWrites(database),
    ...taskEnds(database, queues, createEndMetrics(scope.metrics, labels)),
    loadMedia: createMediaLoader({
      client,
      store,
      maxImageBytes: settings.media.maxImageMb * 1024 * 1024,
      fileTimeoutMs: settings.media.downloadTimeoutSeconds * 1000,
    }),
    fetchOutput: createOutputFetcher({ client, ...(ffmpeg && { ffmpeg }) }),
    ...(isSynchronous && { streamSender: openStreams(scope, options) }),
  };
  return { deps, queues, concurrency };
}

/** By the file, and by what operators have set over it. */
async function followChannels(scope: Scope, database: Database, { config, ...options }: WorkerOptions) {
  const { env } = process;
  const read = options.read ?? (() => openSettings(config.MEDIAGATE_CONFIG, env));
  const followed = followSettings(scope, { read, reader: options.reader ?? createPartReader(env) });
  const paces = new ChannelPaces(database);
  const sealer = openVendorSealer(config);
  const overrides = await followOverrides(scope, { database, followed, paces, sealer, everyMs: options.followMs });
  watchOverrides(scope.metrics, overrides);
  const open = options.openChannel ?? ((source, ofDatabase) => openChannel(source, env, ofDatabase));
  const channelBook = createChannelBook({
    database,
    sources: () => followed.laid().channelSources,
    open: (source) => open(source, followed.ofDatabase),
  });
  watchChannels(scope.metrics, { channels: followed.channels, openChannels: () => followed.laid().channels });
  const { channels } = followed;
  const { settings, catalogue } = followed.current();
  const labels = knownLabels({ catalogue, channels });
  return { settings, catalogue, channels, channelBook, paces, labels, knowSettings: () => overrides.know() };
}

function taskEnds(
  database: Database,
  queues: Queues,
  onEnded: (ended: EndedTask) => void,
): Pick<WorkerDeps, 'finish' | 'passSlotsOn'> {
  const enqueueTask: Queues['enqueueTask'] = (task) => queues.enqueueTask(task);
  return {
    finish: createFinisher(database, { onEnded }),
    passSlotsOn: (freed) => passSlotsOn(freed, { database, enqueueTask }),
  };
}

async function openBooks(scope: Scope, { profile, config }: WorkerOptions): Promise<Database> {
  const { DATABASE_URL: url, DATABASE_POOL_SIZE: poolSize } = config;
  const database = openDatabase({
    url,
    poolSize,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    applicationName: `mediagate-${profile.family}`,
  });
  scope.defer('database', () => database.close());
  scope.addReadinessCheck('database', () => database.ping());
  watchDatabase(scope.metrics, database);
  await checkConnections({ database, config, poolSize, logger: scope.logger });
  void warnOfRoleSettings({ database, url, logger: scope.logger });
  return database;
}

function openTaskQueues(scope: Scope, { REDIS_URL: redisUrl, REDIS_PREFIX: prefix }: WorkerConfig): Queues {
  const onError = (error: Error) => scope.logger.debug('queue.error', { error });
  const queues = openQueues({ redisUrl, prefix, onError });
  scope.defer('queues', () => queues.close());
  scope.addReadinessCheck('redis', () => queues.ping());
  return queues;
}

function openClients(scope: Scope, maxConnections: number) {
  const http = createHttpClient();
  scope.defer('upstream connections', () => http.close());
  const streams = createStreamingClient({ maxConnections });
  scope.defer('upstream streams', () => streams.close());
  return { http, streams };
}

function openStreams(scope: Scope, { config, streamTiming: timing }: WorkerOptions) {
  const onError = (error: Error) => scope.logger.debug('queue.error', { error });
  const { REDIS_URL: redisUrl, REDIS_PREFIX: prefix } = config;
  const sender = openStreamSender({ redisUrl, prefix, onError, ...(timing && { timing }) });
  scope.defer('streams to callers', () => sender.close());
  return sender;
}
