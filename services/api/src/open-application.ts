import { createEarlierFinder } from '@mediagate/billing';
import {
  type CallMetrics,
  createCallMetrics,
  createEndMetrics,
  createTextTranslator,
  knownLabels,
  reportDaysLeft,
  watchChannels,
} from '@mediagate/channels';
import { Pace } from '@mediagate/concurrency';
import { withFormer } from '@mediagate/contracts';
import type { Database } from '@mediagate/database';
import { createGuardedClient } from '@mediagate/egress';
import type { Scope } from '@mediagate/host';
import { createKeyFinder, createOperatorFinder, KeyUses, type Peppers } from '@mediagate/identity';
import { createMessages, type Translator } from '@mediagate/languages';
import { createMediaLoader, type Ffmpeg, linkSecretsOf } from '@mediagate/media';
import { createFingerprintTaker } from '@mediagate/provenance';
import type { Queues, RedisClient } from '@mediagate/queue';
import { CheckHastener, createCallbackTokens } from '@mediagate/tasks';
import type { Api, FileLook } from './api';
import type { AppOptions } from './api-options';
import type { Application } from './app';
import { followApiSettings } from './follow-settings';
import { createRequestRecorder } from './http/access/access-record';
import { type Authenticator, createAuthenticator } from './http/access/authenticate';
import { createOperatorAuthenticator } from './http/access/authenticate-operator';
import { createRateLimit } from './http/limits/rate-limit';
import { createRequestScopes } from './http/request-scope';
import { openApiFfmpeg } from './open-api-ffmpeg';
import { type Domains, openDomains, openWaitingTasks, type WaitingTasks } from './open-domains';
import { openBooks, openMedia, openQueuesAndRates, openUpstreams } from './open-resources';
import type { Operators } from './operators';
import { createOtherModelReport } from './report-other-models';
import { ENDED_RECORDS, WRONG_TOKENS_PER_ADDRESS } from './request-limits';
import { EndedRecords } from './routes/public/tasks/ended-records';
import { createEnqueueTask } from './use-cases/enqueue-task';
import { createMarginSlots } from './use-cases/margin-report';
import { SlotQueue } from './use-cases/slot-queue';
import { createTextChannels } from './use-cases/text/text-channels';
import { createUsageSlots } from './use-cases/usage-report';

/** Opens everything that the application works with, in order. */
export async function openApplication(scope: Scope, options: AppOptions) {
  const { config, times } = options;
  const { queues, redis } = openQueuesAndRates(scope, config, times.rateLimitMs);
  const database = await openBooks(scope, config, times.databaseConnectMs);
  const settings = await openSettings(scope, database, options);
  const { followed, publicBaseUrl } = settings;
  const measured = openMeasured(scope, settings);
  const { onEnded } = measured;
  const domains = openDomains(scope, { database, queues, followed, onEnded, cancelWaitMs: times.cancelWaitMs });
  const waits = await openWaitingTasks(scope, { ...domains, queues }, options);
  const media = await openMedia(scope, followed.settings, { database, config, publicBaseUrl });
  const ffmpeg = await openApiFfmpeg(config.FFMPEG_PATH, scope.logger);
  const opened: Opened = { ...settings, ...measured, domains, waits, media, ffmpeg, queues, redis };
  const serving = openServing(scope, opened, options);
  const api = openApi(scope, { ...opened, serving }, options);
  const application: Application = {
    api,
    operators: openOperators({ ...opened, origins: api }, options),
    serving,
    legacyPrefix: config.IMGTOOL_LEGACY_PREFIX,
    pageOrigins: config.CORS_ORIGINS,
  };
  return { application, waits, queues, catalogue: followed.catalogue };
}

/** The parts that are opened for callers and operators alike. */
interface Opened extends OpenedSettings, ReturnType<typeof openMeasured> {
  domains: Domains;
  waits: WaitingTasks;
  media: Awaited<ReturnType<typeof openMedia>>;
  ffmpeg: Ffmpeg | undefined;
  queues: Queues;
  redis: RedisClient;
}

function fileLookBy(ffmpeg: Ffmpeg | undefined, more: Pick<FileLook, 'logger' | 'lookMs'>): FileLook {
  return { takeHashes: createFingerprintTaker(ffmpeg), hasFfmpeg: ffmpeg !== undefined, ...more };
}

/** The context of callers' routes. */
function openApi(
  scope: Scope,
  opened: Opened & Pick<Application, 'serving'>,
  { config, times, shutdown, translator }: AppOptions,
): Api {
  const { domains, waits, media, ffmpeg, queues, followed, upstreams, calls } = opened;
  const { logger } = scope;
  const client = createGuardedClient({ ...followed.settings.media, allowOrigins: [] });
  return {
    ...domains,
    ...waits,
    ...media,
    fileLook: fileLookBy(ffmpeg, { logger, lookMs: times.lookMs }),
    client,
    loadMedia: createMediaLoader({ client, store: media.mediaStore, prober: media.prober }),
    messages: createMessages({
      translator: translator ?? translatorBy(opened),
      onFailure: (error) => logger.warn('translation.failed', { error }),
    }),
    reviewing: { moderator: upstreams.moderator, channels: followed.channels, logger, calls },
    hastener: openHastener(scope, domains.database, queues),
    callbackTokens: createCallbackTokens(linkSecretsOf(config)),
    models: followed.models,
    catalogue: followed.catalogue,
    uploadQuotas: followed.uploadQuotas,
    textChannels: opened.textChannels,
    shutdown,
    pepper: config.MEDIAGATE_KEY_PEPPER,
    publicBaseUrl: opened.publicBaseUrl,
    creditsPerUnit: config.CREDITS_PER_UNIT,
    storagePatienceMs: times.storagePatienceMs,
    forgetKey: opened.serving.authenticator.forget,
    slots: new SlotQueue({ waitMs: times.slotWaitMs }),
    findEarlier: createEarlierFinder(domains.database),
    enqueueTask: createEnqueueTask({ queues, logger, windowJobs: config.DISPATCH_WINDOW }),
    endedRecords: new EndedRecords(ENDED_RECORDS),
    usageSlots: createUsageSlots(),
  };
}

/** Translates by the text models. */
function translatorBy({ upstreams, followed, calls }: OpenedSettings & { calls: CallMetrics }): Translator {
  const models = followed.catalogue.entries.flatMap(({ id, family }) => (family === 'text' ? [id] : []));
  return createTextTranslator({ channels: followed.channels, upstream: upstreams.gemini, models, calls });
}

/** Opens what hastens checks that vendors call for. Checks that are still due when the process ends are dropped: the reconciler makes them. */
function openHastener(scope: Scope, database: Database, queues: Pick<Queues, 'enqueueTask'>): CheckHastener {
  const hastener = new CheckHastener({
    database,
    enqueueTask: (task) => queues.enqueueTask(task),
    onFailed: (error) => scope.logger.warn('check.hasten_failed', { error }),
  });
  scope.defer('early checks', () => hastener.stop());
  return hastener;
}

/** The context of operators' routes. */
function openOperators(
  { domains, media, queues, followed, origins }: Opened & Pick<Operators, 'origins'>,
  { config }: AppOptions,
): Operators {
  const { models, catalogue, filePrices, listSettings } = followed;
  return {
    ...domains,
    queues,
    models,
    catalogue,
    filePrices,
    listSettings,
    pepper: config.MEDIAGATE_KEY_PEPPER,
    links: media.links,
    origins,
    creditsPerUnit: config.CREDITS_PER_UNIT,
    marginSlots: createMarginSlots(),
  };
}

function openServing(
  scope: Scope,
  { domains: { database }, media, redis, followed }: Opened,
  { config, times, shutdown }: AppOptions,
): Application['serving'] {
  const { logger, metrics } = scope;
  const { MEDIAGATE_KEY_PEPPER: pepper, MEDIAGATE_PREVIOUS_KEY_PEPPER: former } = config;
  const peppers = withFormer('MEDIAGATE_KEY_PEPPER', pepper, former);
  const findOperator = createOperatorFinder(database, peppers);
  return {
    logger,
    models: followed.models,
    callerFiles: media.callerFiles,
    scopes: openRequestScopes(scope),
    bodyPace: {
      periodMs: config.BODY_PERIOD_SECONDS * 1000,
      fileLinks: media.mediaStore.directUploads && '/v1/files/presign',
    },
    authenticator: openKeys(scope, database, { peppers, usesMs: times.keyUsesMs }),
    authenticateOperator: createOperatorAuthenticator(findOperator, new Pace(WRONG_TOKENS_PER_ADDRESS)),
    rateLimit: createRateLimit({ redis, prefix: config.REDIS_PREFIX, logger }),
    recordRequest: createRequestRecorder(logger, metrics, shutdown),
  };
}

/** Interval of writes of which keys were used. */
const KEY_USES_MS = 60_000;

/** Lets keys in, and notes their use: written a minute later, and at the end of the process. */
function openKeys(
  scope: Scope,
  database: Database,
  { peppers, usesMs = KEY_USES_MS }: { peppers: Peppers; usesMs: number | undefined },
): Authenticator {
  const uses = new KeyUses(database);
  const write = () => uses.write().catch((error: unknown) => scope.logger.warn('key.uses_not_written', { error }));
  const timer = setInterval(() => void write(), usesMs);
  scope.defer('uses of keys', () => {
    clearInterval(timer);
    return write();
  });
  return createAuthenticator({ findKey: createKeyFinder(database), peppers, noteUse: uses.note.bind(uses) });
}

type OpenedSettings = Awaited<ReturnType<typeof openSettings>>;

/** Opens the upstreams of texts and reviews, and follows the operator's file and what operators set. */
async function openSettings(scope: Scope, database: Database, options: AppOptions) {
  const { config } = options;
  const upstreams = openUpstreams(scope, config, (origin) => followed.lookupFor(origin));
  const keysOf = new Set([upstreams.moderator, ...upstreams.texts].map(({ protocol }) => protocol));
  const publicBaseUrl = (config.PUBLIC_BASE_URL ?? `http://127.0.0.1:${config.PORT}`).replace(/\/+$/, '');
  const reach = reachOf(publicBaseUrl, config);
  const followed = await followApiSettings(scope, { ...options, database, keysOf, reach });
  reportDaysLeft(scope.metrics, followed.channelDomain.sources, upstreams.ends);
  return { upstreams, publicBaseUrl, followed };
}

/** The hosts that no callback goes to, and the origins that one may go to all the same. */
function reachOf(publicBaseUrl: string, { OWN_HOSTS, CALLBACK_ALLOW_ORIGINS: allowOrigins }: AppOptions['config']) {
  return { ownHosts: [new URL(publicBaseUrl).hostname, ...OWN_HOSTS], allowOrigins };
}

/** Makes the channels of texts and what measures the ends of tasks. */
function openMeasured({ logger, metrics }: Scope, { upstreams, followed }: OpenedSettings) {
  const { channels, openChannels } = followed;
  const labels = knownLabels(followed);
  const calls = createCallMetrics(metrics, labels);
  const onOtherModel = createOtherModelReport({ logger, metrics });
  const textChannels = createTextChannels({ channels, upstreams: upstreams.texts, calls, onOtherModel });
  watchChannels(metrics, { channels, openChannels, slotsInUse: textChannels.slotsInUse });
  return { calls, textChannels, onEnded: createEndMetrics(metrics, labels) };
}

/** An error that nothing caught ends the request that it belongs to, and no other. */
function openRequestScopes(scope: Scope) {
  const scopes = createRequestScopes({ logger: scope.logger, metrics: scope.metrics });
  scope.onStrayError(scopes.claim);
  return scopes;
}
