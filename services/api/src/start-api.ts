import { setTimeout as delay } from 'node:timers/promises';
import { createFinisher, followPrices, KeyUses } from '@mediagate/billing';
import type { Catalogue } from '@mediagate/catalog';
import { followOverrides } from '@mediagate/channels';
import { Slots } from '@mediagate/concurrency';
import type { Database } from '@mediagate/database';
import { createGuardedClient } from '@mediagate/egress';
import type { Scope } from '@mediagate/host';
import { createLinks, openMediaStore } from '@mediagate/media';
import type { Queues } from '@mediagate/queue';
import type { Settings } from '@mediagate/settings';
import type { StreamReceiver, StreamTiming } from '@mediagate/streams';
import { createTaskReader, renewSubmitterLeases } from '@mediagate/tasks';
import { createMessages, createTextTranslator, type Translator } from '@mediagate/translation';
import type { Express } from 'express';
import { type AppDeps, createApp } from './app';
import { assembleDeps } from './assemble-app';
import { type ApiConfig, readSettings } from './config';
import { followApiSettings } from './follow-settings';
import { createRequestScopes } from './http/request-scope';
import { createShutdown, type Shutdown } from './http/shutdown';
import { openBooks, openRedis, openUpstreams } from './open-resources';
import { type SpeechLimits, STATEMENT_TIMEOUT_MS, TASK_WAITS, TEXT_LINGER_MS, type WaitLimits } from './request-limits';
import { type ListeningServer, listen } from './server';
import { createReviewContent } from './use-cases/review-content';
import { createSpeeches, type Speeches } from './use-cases/speech/speeches';
import { TaskWatch } from './use-cases/task-watch';
import { createSettlements } from './use-cases/text/settlements';
import { createTextChannels } from './use-cases/text/text-channels';
import { keepTextLeases } from './use-cases/text/text-leases';

const REDIS_START_MS = 3_000;
const REDIS_LOOK_MS = 20;
/**
 * After the last answer of a shutdown. A text whose caller left just before may be read on for all of the first, and then
 * needs one try of the statement that settles it. A database that is away for longer is not waited for.
 */
const SETTLEMENT_DRAIN_MS = TEXT_LINGER_MS + STATEMENT_TIMEOUT_MS;

export interface ApiOptions {
  config: ApiConfig;
  /** Reads the operator's file, at the start and at each reload; default: the file that `config` names. */
  read?: ReadSettings;
  /** Of words that are not the platform's own; default: by the text models. */
  translator?: Translator;
  times?: ApiTimes;
  /** Of callers who wait for a task; default `TASK_WAITS`. */
  waits?: WaitLimits;
}

/** @param protocols those whose channels' keys are wanted. */
export type ReadSettings = (protocols: ReadonlySet<string>) => { settings: Settings; catalogue: Catalogue };

/** How long what may take. Each is described where it applies, and has its default there. */
export interface ApiTimes {
  streams?: Partial<StreamTiming>;
  speech?: Partial<SpeechLimits>;
  /** What the start waits for Redis. */
  redisStartMs?: number;
  /** What a request waits for its count in Redis, before its process counts alone. */
  rateLimitMs?: number;
  slotWaitMs?: number;
  cancelWaitMs?: number;
  keyUsesMs?: number;
  /** Between two looks at what operators have set. */
  followMs?: number;
  /** By which prices take effect, in milliseconds; default: the process's own. */
  priceClock?: () => number;
  idleTimeoutMs?: number;
  drainTimeoutMs?: number;
}

export interface RunningApi {
  app: Express;
  /** The port it has; another than asked for when that was 0. */
  port: number;
  /** That of operators, where they have one of their own. */
  adminPort?: number;
  speeches: Pick<Speeches, 'drain'>;
}

/** The API put together, and listening: what its process runs, and what its tests call. */
export async function startApi(scope: Scope, { config, times = {}, ...options }: ApiOptions): Promise<RunningApi> {
  const { logger, metrics } = scope;
  const upstreams = openUpstreams(scope, config);
  const protocols = new Set([upstreams.moderator, ...upstreams.texts].map(({ protocol }) => protocol));
  const read = () => options.read?.(protocols) ?? readSettings(config.MEDIAGATE_CONFIG, protocols);
  const publicBaseUrl = (config.PUBLIC_BASE_URL ?? `http://127.0.0.1:${config.PORT}`).replace(/\/+$/, '');
  const ownHosts = [new URL(publicBaseUrl).hostname, ...config.OWN_HOSTS];
  const { settings, catalogue, channels, override, priceBy, ...followed } = followApiSettings(scope, {
    read,
    ownHosts,
  });
  const database = openBooks(scope, config);
  await followOperators(scope, { database, followed: { channels, override, priceBy }, times });
  const { queues, redis, streams } = openRedis(scope, config, times);
  const waiting = openWaitingTasks(scope, { database, streams, queues, limits: times.speech, waits: options.waits });
  const { MEDIAGATE_HOME: home, MEDIAGATE_LINK_SECRET: linkSecret } = config;
  const mediaStore = await openMediaStore(database, { storage: settings.storage, home, publicBaseUrl, linkSecret });
  const shutdown = createShutdown();
  const scopes = createRequestScopes({ logger, metrics });
  scope.onStrayError(scopes.claim);
  const deps = assembleDeps({
    ...waiting,
    ...followed,
    catalogue,
    database,
    queues,
    redis,
    redisPrefix: config.REDIS_PREFIX,
    mediaStore,
    links: createLinks({ publicBaseUrl, secret: linkSecret }),
    publicBaseUrl,
    shutdown,
    scopes,
    logger,
    metrics,
    bodyPace: { timeoutMs: config.BODY_TIMEOUT_SECONDS * 1000, periodMs: config.BODY_PERIOD_SECONDS * 1000 },
    slotWaitMs: times.slotWaitMs,
    textChannels: createTextChannels({ channels, upstreams: upstreams.texts }),
    cancelWaitMs: times.cancelWaitMs,
    client: createGuardedClient({ ...settings.media, allowOrigins: [] }),
    maxImageBytes: settings.media.maxImageMb * 1024 * 1024,
    messages: createMessages({
      translator:
        options.translator ??
        createTextTranslator({ channels, upstream: upstreams.gemini, models: textModels(catalogue) }),
      onFailure: (error) => logger.warn('translation.failed', { error }),
    }),
    reviewContent: createReviewContent({ moderator: upstreams.moderator, channels, logger }),
    ...openKeys(scope, { config, database, usesMs: times.keyUsesMs }),
    ...constantsOf(config),
  });
  await waitForRedis(streams, times.redisStartMs);
  const { app, servers, ports } = await serveAll(deps, { config, shutdown, times });
  scope.onDrain('requests', async () => {
    await Promise.all(servers.map(({ drain }) => drain()));
    await waiting.settlements.drain(SETTLEMENT_DRAIN_MS);
  });
  scope.onDrain('speeches', () => waiting.speeches.drain());
  logger.info('api.listening', ports);
  return { app, ...ports, speeches: waiting.speeches };
}

function constantsOf(config: ApiConfig) {
  return {
    creditsPerUnit: config.CREDITS_PER_UNIT,
    legacyPrefix: config.IMGTOOL_LEGACY_PREFIX,
    pageOrigins: config.CORS_ORIGINS,
  };
}

interface FollowOperatorsOptions {
  database: Database;
  followed: Pick<ReturnType<typeof followApiSettings>, 'channels' | 'override' | 'priceBy'>;
  times: ApiTimes;
}

/** Keeps to what operators have set over the file. */
async function followOperators(scope: Scope, options: FollowOperatorsOptions): Promise<void> {
  const { database, followed, times } = options;
  const { followMs: everyMs, priceClock: now } = times;
  await followOverrides(scope, { database, followed, everyMs });
  followed.priceBy(await followPrices(scope, { database, everyMs, now }));
}

interface WaitingDeps {
  database: Database;
  streams: StreamReceiver;
  queues: Queues;
  limits: Partial<SpeechLimits> | undefined;
  waits: WaitLimits | undefined;
}

/** The tasks whose callers wait for the answer itself, and how they end. */
function openWaitingTasks(scope: Scope, { database, streams, queues, limits = {}, waits = TASK_WAITS }: WaitingDeps) {
  const { logger, metrics } = scope;
  const readTask = createTaskReader(database);
  const finish = createFinisher(database);
  const settlements = createSettlements({ finish, readTask, logger, metrics });
  const leases = keepTextLeases({
    inFlight: () => settlements.inFlight(),
    cancel: (taskId) => settlements.cancel(taskId),
    logger,
    renew: (ids, leaseMs) => renewSubmitterLeases(database, ids, leaseMs),
  });
  scope.defer('leases of texts', () => leases.stop());
  const taskWatch = new TaskWatch({ findChanged: (seen) => database.findChangedTasks(seen), logger });
  scope.onDrain('waiting callers', () => taskWatch.close());
  const speeches = createSpeeches({
    streams,
    queues,
    logger,
    finish,
    readTask,
    findCancelled: async (ids) => (await database.findCancelled(ids)).map(({ id }) => id),
    async declineCancel(task) {
      await database.declineCancel(task);
    },
    limits,
  });
  const waitSlots = new Slots(waits.max, { perKey: waits.accountMax });
  return { settlements, taskWatch, waitSlots, speeches };
}

/** Between two writes of which keys were used. */
const KEY_USES_MS = 60_000;

interface KeyOptions {
  config: ApiConfig;
  database: Database;
  usesMs: number | undefined;
}

/** What keys are judged by, and the note of their use: written a minute later, and at the end of the process. */
function openKeys(scope: Scope, { config, database, usesMs = KEY_USES_MS }: KeyOptions) {
  const uses = new KeyUses(database);
  const write = () => uses.write().catch((error: unknown) => scope.logger.warn('key.uses_not_written', { error }));
  const timer = setInterval(() => void write(), usesMs);
  scope.defer('uses of keys', () => {
    clearInterval(timer);
    return write();
  });
  return { pepper: config.MEDIAGATE_KEY_PEPPER, noteKeyUse: (keyId: string) => uses.note(keyId) };
}

function textModels({ entries }: Catalogue): string[] {
  return entries.flatMap(({ id, family }) => (family === 'text' ? [id] : []));
}

/** Speech is refused without Redis: whoever comes first should not find it still on its way. All else is served without. */
async function waitForRedis(streams: StreamReceiver, limitMs = REDIS_START_MS): Promise<void> {
  for (let waitedMs = 0; !streams.available() && waitedMs < limitMs; waitedMs += REDIS_LOOK_MS) {
    await delay(REDIS_LOOK_MS);
  }
}

interface ServeOptions extends Required<Pick<ApiOptions, 'config' | 'times'>> {
  shutdown: Shutdown;
}

/** With a port of their own, operators are served there and nowhere else. */
async function serveAll(deps: AppDeps, options: ServeOptions) {
  const { PORT, ADMIN_PORT } = options.config;
  const app = createApp(deps, ADMIN_PORT === undefined ? 'everybody' : 'callers');
  const main = await serve(app, PORT, options);
  if (ADMIN_PORT === undefined) return { app, servers: [main], ports: { port: main.port } };
  const admin = await serve(createApp(deps, 'operators'), ADMIN_PORT, options);
  return { app, servers: [main, admin], ports: { port: main.port, adminPort: admin.port } };
}

function serve(app: Express, port: number, { config, shutdown, times }: ServeOptions): Promise<ListeningServer> {
  const { idleTimeoutMs, drainTimeoutMs } = times;
  return listen(app, {
    port,
    host: config.HOST,
    shutdown,
    bodyTimeoutMs: config.BODY_TIMEOUT_SECONDS * 1000,
    idleTimeoutMs,
    drainTimeoutMs,
  });
}
