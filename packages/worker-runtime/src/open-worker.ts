import { createFinisher } from '@mediagate/billing';
import { currentCatalogue } from '@mediagate/catalog';
import {
  ChannelPaces,
  ChannelSlots,
  createAnnouncedEnds,
  createChannelBook,
  createEndMetrics,
  followConfiguration,
  keepComparingNames,
  knownLabels,
  reportDaysLeft,
  watchChannels,
} from '@mediagate/channels';
import { LINGER_MS, LINGERING, Slots } from '@mediagate/concurrency';
import { FAMILY_TRAITS, type JsonObject } from '@mediagate/contracts';
import { type Database, openOwnDatabase, watchDatabase } from '@mediagate/database';
import { loadConfig, type Scope, type Service, visibleSettings } from '@mediagate/host';
import { linkSecretsOf, WorkSlots } from '@mediagate/media';
import { openOwnQueues, type Queues } from '@mediagate/queue';
import {
  type Channel,
  createSettingsReader,
  type OpenedSettings,
  openChannel,
  type PartReader,
  protocolsOf,
  type StoredSecrets,
} from '@mediagate/settings';
import { createCallbackTokens } from '@mediagate/tasks';
import {
  type Adapter,
  type Clients,
  createAdapters,
  createHttpClient,
  type LookupFor,
  type Protocols,
} from '@mediagate/upstreams';
import { executeTask } from './execute-task';
import { openMedia, openWorkerFfmpeg } from './open-media';
import type { FamilyProfile } from './profile';
import { createResultFingerprints } from './result-fingerprints';
import { StepGate } from './step-gate';
import { createStepMemory } from './step-memory';
import { createLastingReport } from './steps/measure-call';
import type { WorkerDeps } from './worker-deps';
import { createWorkerMetrics } from './worker-metrics';
import { type WorkerConfig, workerSettings } from './worker-settings';

export const STATEMENT_TIMEOUT_MS = 3_000;

export interface WorkerOptions {
  profile: FamilyProfile;
  config: WorkerConfig;
  /** Reads the operator's file, at the start and at each reload; default: the file that `config` names. */
  read?: () => OpenedSettings;
  /** Reads what operators have set over the file; default: by the checks of the file. */
  reader?: PartReader;
  /** A channel that neither the file nor an operator has any more, as the database remembers it. */
  openChannel?: (source: JsonObject, ofDatabase: StoredSecrets) => Channel;
  /** By protocol; default: those of `@mediagate/upstreams`. */
  adapters?: (clients: Clients, protocols: Protocols) => ReadonlyMap<string, Adapter>;
  statementTimeoutMs?: number;
  /** Between two looks at what operators have set. */
  followMs?: number;
  /** Between two looks at the certificate that signs results. */
  signerEveryMs?: number | undefined;
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
  const ffmpeg = FAMILY_TRAITS[profile.family].needsFfmpeg
    ? await openWorkerFfmpeg(config.FFMPEG_PATH, logger, scope.one(WorkSlots))
    : undefined;
  const { database, queues } = await openStores(scope, options);
  const { settings, catalogue, labels, ...channelDeps } = await followChannels(scope, { database, queues }, options);
  const http = openClient(scope, concurrency, channelDeps);
  const media = await openMedia(scope, database, { ...options, settings, ffmpeg, lookupFor: channelDeps.lookupFor });

  const leaseMs = config.LEASE_SECONDS * 1000;
  const deps: WorkerDeps = {
    profile,
    logger,
    database,
    catalogue,
    ...channelDeps,
    adapters: (options.adapters ?? createAdapters)({ http, runFfmpeg: ffmpeg?.run }, protocolsOf(settings)),
    leaseMs,
    ...media,
    fingerprints: createResultFingerprints(settings.media, { database, register: scope.metrics, logger, ffmpeg }),
    queue: queues,
    gate: scope.one(StepGate),
    lingerMs: LINGER_MS,
    lingering: new Slots(LINGERING),
    ...createStepMemory(concurrency),
    reportLasting: createLastingReport(logger),
    metrics: createWorkerMetrics(scope.metrics, labels),
    finish: createFinisher(database, { onEnded: createEndMetrics(scope.metrics, labels) }),
    ...callbacksOf(config),
  };
  return { deps, queues, concurrency };
}

async function openStores(
  scope: Scope,
  { profile, config, statementTimeoutMs = STATEMENT_TIMEOUT_MS }: WorkerOptions,
): Promise<{ database: Database; queues: Queues }> {
  const { family: service } = profile;
  const { DATABASE_POOL_SIZE: poolSize } = config;
  const database = await openOwnDatabase(scope, { service, config, poolSize, statementTimeoutMs });
  watchDatabase(scope.metrics, database);
  const queues = openOwnQueues(scope, config);
  scope.addReadinessCheck('redis', () => queues.ping(profile.family));
  return { database, queues };
}

function callbacksOf(config: WorkerConfig): Pick<WorkerDeps, 'callbackUrl'> {
  const { VENDOR_CALLBACK_BASE_URL: baseUrl } = config;
  if (baseUrl === undefined) return {};
  const { tokenOf } = createCallbackTokens(linkSecretsOf(config));
  const path = `${baseUrl.replace(/\/+$/, '')}/v1/vendor-callbacks`;
  return { callbackUrl: (attemptId, channelId) => `${path}/${tokenOf(attemptId, channelId)}` };
}

/** By the file, and by what operators have set over it. */
async function followChannels(
  scope: Scope,
  { database, queues }: { database: Database; queues: Queues },
  { config, ...options }: WorkerOptions,
) {
  const { env } = process;
  const paces = new ChannelPaces(database);
  const channelSlots = new ChannelSlots({ database, enqueueTask: (task) => queues.enqueueTask(task) });
  const learners = { paces, channelSlots };
  const read = options.read ?? createSettingsReader(config.MEDIAGATE_CONFIG, env);
  const { reader, followMs: everyMs } = options;
  const followed = await followConfiguration(scope, { database, config, read, reader, everyMs, ...learners });
  const open =
    options.openChannel ??
    ((source, ofDatabase) => {
      const { packages } = followed.current().settings;
      return openChannel(source, env, { packages, ofDatabase });
    });
  const sources = () => followed.inForce().channelSources;
  const channelBook = createChannelBook({
    database,
    channels: followed.channels,
    sources,
    open: (source) => open(source, followed.ofDatabase),
    origins: {
      mustBePublic: (origin) => followed.lookupFor(origin) !== undefined,
      remember: (origin) => followed.rememberOrigin(origin),
    },
  });
  watchChannels(scope.metrics, { channels: followed.channels, openChannels: () => followed.inForce().channels });
  const { channels, lookupFor } = followed;
  const { settings } = followed.current();
  keepComparingNames(scope, { database, followed, protocols: protocolsOf(settings) });
  const catalogue = currentCatalogue(() => followed.current().catalogue);
  const labels = knownLabels({ catalogue, channels });
  const known = { settings, catalogue, channels, channelBook, labels, lookupFor, sources };
  return { ...known, ...learners, ensureSettingsKnown: () => followed.known.ensureKnown() };
}

function openClient(
  scope: Scope,
  maxConnections: number,
  { lookupFor, sources }: { lookupFor: LookupFor; sources: Parameters<typeof reportDaysLeft>[1] },
) {
  const ends = createAnnouncedEnds(scope.logger);
  reportDaysLeft(scope.metrics, sources, ends);
  const { heed } = ends;
  const http = createHttpClient({ streamed: { maxConnections }, lookupFor, heed });
  scope.defer('upstream connections', () => http.close());
  return http;
}

/** The service of a family. Families differ by their profiles alone. */
export function workerService(profile: FamilyProfile): Service {
  return {
    name: profile.family,
    drainSeconds: profile.drainSeconds,
    async main(scope) {
      takeTasks(scope, await openWorker(scope, { profile, config: loadConfig(workerSettings) }));
    },
  };
}

/** Works on what comes to the family's queue, until the scope drains. */
export function takeTasks(scope: Scope, { deps, queues, concurrency }: OpenWorker): void {
  const consumer = queues.consumeTasks(deps.profile.family, (job) => executeTask(job, deps), { concurrency });
  scope.addLivenessCheck('tasks', () => consumer.isAlive());
  scope.onDrain('tasks in flight', () => consumer.close());
}
