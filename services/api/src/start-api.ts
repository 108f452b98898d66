import { setTimeout as delay } from 'node:timers/promises';
import type { Catalogue } from '@mediagate/catalog';
import { createCallMetrics, createEndMetrics, knownLabels, watchChannels } from '@mediagate/channels';
import type { Scope } from '@mediagate/host';
import type { Translator } from '@mediagate/languages';
import type { Queues } from '@mediagate/queue';
import type { PartReader, Settings } from '@mediagate/settings';
import type { Express } from 'express';
import { type AppParts, createApp } from './app';
import { assembleApp } from './assemble-app';
import { compileAhead } from './compile-ahead';
import type { ApiConfig } from './config';
import { followOperators } from './follow-operators';
import { followApiSettings, readingOf } from './follow-settings';
import { createRequestScopes } from './http/request-scope';
import { createShutdown, type Shutdown } from './http/shutdown';
import { listSettings } from './list-settings';
import { openDomains } from './open-domains';
import { openJudges } from './open-judges';
import { openKeys } from './open-keys';
import { openMedia } from './open-media';
import { openBooks, openRedis, openUpstreams } from './open-resources';
import { openVendorCallbacks } from './open-vendor-callbacks';
import { openWaitingTasks, type WaitingTasks } from './open-waiting-tasks';
import { reportDaysLeft } from './report-days-left';
import { createOtherModelReport } from './report-other-models';
import { type SpeechLimits, STATEMENT_TIMEOUT_MS, TEXT_DRAIN_MS, type WaitLimits } from './request-limits';
import { type ListeningServer, listen } from './server';
import type { Speeches } from './use-cases/speech/speeches';
import { createTextChannels } from './use-cases/text/text-channels';

const REDIS_START_MS = 3_000;
const REDIS_LOOK_MS = 20;
/**
 * Time for settlements after the last answer of a shutdown. A text whose caller left shortly before may be read on for all of
 * `TEXT_DRAIN_MS`, and then needs one try of the statement that settles it. The process does not wait for a database that is away longer.
 */
const SETTLEMENT_DRAIN_MS = TEXT_DRAIN_MS + STATEMENT_TIMEOUT_MS;

export interface ApiOptions {
  config: ApiConfig;
  /** Reads the operator's file, at the start and at each reload; default: the file that `config` names. */
  read?: ReadSettings;
  /** Reads what operators have set over the file; default: by the checks of the file. */
  reader?: PartReader;
  /** The same without any keys, for what operators set. */
  judge?: PartReader;
  /** Translates texts that are not the platform's own; default: by the text models. */
  translator?: Translator;
  times?: ApiTimes;
  /** Limits of callers who wait for a task; default `TASK_WAITS`. */
  waits?: WaitLimits;
}

interface AppOptions extends ApiOptions {
  times: ApiTimes;
  shutdown: Shutdown;
}

/** @param protocols those whose channels' keys are wanted. */
export type ReadSettings = (protocols: ReadonlySet<string>) => { settings: Settings; catalogue: Catalogue };

/** Time limits. Each is described where it applies, and has its default there. */
export interface ApiTimes {
  speech?: Partial<SpeechLimits>;
  /** How long the start waits for Redis. */
  redisStartMs?: number;
  /** How long a request waits for its count in Redis, before its process counts alone. */
  rateLimitMs?: number;
  slotWaitMs?: number;
  lingerMs?: number;
  silenceMs?: number;
  cancelWaitMs?: number;
  storagePatienceMs?: number;
  keyUsesMs?: number;
  /** Interval of looks at what operators have set. */
  followMs?: number;
  /** The clock by which prices take effect, in milliseconds; default: the process's own. */
  priceClock?: () => number;
  idleTimeoutMs?: number;
  drainTimeoutMs?: number;
}

export interface RunningApi {
  app: Express;
  /** The port it has; another than asked for when that was 0. */
  port: number;
  /** The operators' port, if they have one of their own. */
  adminPort?: number;
  speeches: Pick<Speeches, 'drain'>;
}

/** The API put together, and listening: what its process runs, and what its tests call. */
export async function startApi(scope: Scope, { config, times = {}, ...options }: ApiOptions): Promise<RunningApi> {
  const shutdown = createShutdown();
  const { parts, waits, queues, catalogue } = await openApp(scope, { ...options, config, times, shutdown });
  await waitForRedis(queues, times.redisStartMs);
  const { app, servers, ports } = await serveAll(parts, { config, shutdown, times });
  compileAhead(scope, catalogue);
  drainRequests(scope, servers, waits);
  scope.logger.info('api.listening', ports);
  return { app, ...ports, speeches: waits.speeches };
}

/** Opens everything that the application works with, in order. */
async function openApp(scope: Scope, { config, times, shutdown, ...options }: AppOptions) {
  const { logger, metrics } = scope;
  const { upstreams, publicBaseUrl, followed } = openSettings(scope, { ...options, config });
  const { settings, catalogue, channels, openChannels, steered, ofFile, webhookRules, ...offered } = followed;
  const { queues, redis } = openRedis(scope, config, times);
  const database = await openBooks(scope, config);
  const steering = await followOperators(scope, { ...options, ...steered, config, database, times });
  const { calls, onEnded, textChannels } = openMeasured(scope, { catalogue, channels, openChannels, upstreams });
  const known = { catalogue, webhookRules, channels: { ...ofFile, ...steering }, cancelWaitMs: times.cancelWaitMs };
  const domains = openDomains(scope, { ...known, database, queues, onEnded });
  const waits = await openWaitingTasks(scope, { ...options, ...domains, config, queues, times });
  const parts = assembleApp({
    ...waits,
    ...offered,
    ...domains,
    ...(await openMedia(scope, database, { settings, config, publicBaseUrl })),
    ...openJudges(scope, { ...options, settings, upstreams, channels, catalogue, calls }),
    ...openKeys(scope, { config, database, usesMs: times.keyUsesMs }),
    ...openVendorCallbacks(scope, { database, queues, secret: config.MEDIAGATE_LINK_SECRET }),
    ...constantsOf(config, times),
    listSettings: () => listSettings(config, steered.overridable),
    textChannels,
    catalogue,
    queues,
    redis,
    publicBaseUrl,
    shutdown,
    scopes: openRequestScopes(scope),
    logger,
    metrics,
  });
  return { parts, waits, queues, catalogue };
}

/** Opens the upstreams of texts and reviews, and follows the operator's file. */
function openSettings(scope: Scope, { config, ...options }: ApiOptions) {
  const upstreams = openUpstreams(scope, config, (origin) => followed.steered.overridable.lookupFor(origin));
  const protocols = new Set([upstreams.moderator, ...upstreams.texts].map(({ protocol }) => protocol));
  const publicBaseUrl = (config.PUBLIC_BASE_URL ?? `http://127.0.0.1:${config.PORT}`).replace(/\/+$/, '');
  const reach = reachOf(publicBaseUrl, config);
  const followed = followApiSettings(scope, { ...readingOf(config, options, protocols), reach });
  reportDaysLeft(scope.metrics, followed.ofFile.sources);
  return { upstreams, publicBaseUrl, followed };
}

/** The hosts that no callback goes to, and the origins that one may go to all the same. */
function reachOf(publicBaseUrl: string, { OWN_HOSTS, CALLBACK_ALLOW_ORIGINS: allowOrigins }: ApiOptions['config']) {
  return { ownHosts: [new URL(publicBaseUrl).hostname, ...OWN_HOSTS], allowOrigins };
}

function drainRequests(scope: Scope, servers: ListeningServer[], { settlements, speeches }: WaitingTasks): void {
  scope.onDrain('requests', async () => {
    await Promise.all(servers.map(({ drain }) => drain()));
    await settlements.drain(SETTLEMENT_DRAIN_MS);
  });
  scope.onDrain('speeches', () => speeches.drain());
}

/** An error that nothing caught ends the request that it belongs to, and no other. */
function openRequestScopes(scope: Scope) {
  const scopes = createRequestScopes({ logger: scope.logger, metrics: scope.metrics });
  scope.onStrayError(scopes.claim);
  return scopes;
}

function constantsOf(config: ApiConfig, { slotWaitMs, storagePatienceMs }: ApiTimes) {
  return {
    slotWaitMs,
    storagePatienceMs,
    creditsPerUnit: config.CREDITS_PER_UNIT,
    windowJobs: config.DISPATCH_WINDOW,
    legacyPrefix: config.IMGTOOL_LEGACY_PREFIX,
    pageOrigins: config.CORS_ORIGINS,
    redisPrefix: config.REDIS_PREFIX,
    bodyPace: { periodMs: config.BODY_PERIOD_SECONDS * 1000 },
  };
}

interface MeasuredParts {
  catalogue: Catalogue;
  channels: ReturnType<typeof followApiSettings>['channels'];
  openChannels: ReturnType<typeof followApiSettings>['openChannels'];
  upstreams: ReturnType<typeof openUpstreams>;
}

/** Makes the channels of texts and what measures the ends of tasks. */
function openMeasured({ logger, metrics }: Scope, { upstreams, openChannels, ...known }: MeasuredParts) {
  const labels = knownLabels(known);
  const calls = createCallMetrics(metrics, labels);
  const { channels } = known;
  const onOtherModel = createOtherModelReport({ logger, metrics });
  const textChannels = createTextChannels({ channels, upstreams: upstreams.texts, calls, onOtherModel });
  watchChannels(metrics, { channels, openChannels, slotsInUse: textChannels.slotsInUse });
  return { calls, textChannels, onEnded: createEndMetrics(metrics, labels) };
}

/** Waits for Redis: without it speech is refused, and the first callers should not see that. Everything else is served without it. */
async function waitForRedis(queues: Pick<Queues, 'isConnected'>, limitMs = REDIS_START_MS): Promise<void> {
  for (let waitedMs = 0; !queues.isConnected() && waitedMs < limitMs; waitedMs += REDIS_LOOK_MS) {
    await delay(REDIS_LOOK_MS);
  }
}

type ServeOptions = Pick<AppOptions, 'config' | 'times' | 'shutdown'>;

/** Serves operators on a port of their own, if they have one, and nowhere else. */
async function serveAll(parts: AppParts, options: ServeOptions) {
  const { PORT, ADMIN_PORT } = options.config;
  const app = createApp(parts, ADMIN_PORT === undefined ? 'everybody' : 'callers');
  const main = await serve(app, PORT, options);
  if (ADMIN_PORT === undefined) return { app, servers: [main], ports: { port: main.port } };
  const admin = await serve(createApp(parts, 'operators'), ADMIN_PORT, options);
  return { app, servers: [main, admin], ports: { port: main.port, adminPort: admin.port } };
}

function serve(app: Express, port: number, { config, shutdown, times }: ServeOptions): Promise<ListeningServer> {
  return listen(app, {
    port,
    host: config.HOST,
    shutdown,
    keepAliveMs: config.KEEP_ALIVE_SECONDS * 1000,
    idleTimeoutMs: times.idleTimeoutMs,
    drainTimeoutMs: times.drainTimeoutMs,
    legacyPrefix: config.IMGTOOL_LEGACY_PREFIX,
  });
}
