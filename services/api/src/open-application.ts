import { createEarlierFinder } from '@mediagate/billing';
import { createCallMetrics, createEndMetrics, knownLabels, reportDaysLeft, watchChannels } from '@mediagate/channels';
import { Pace } from '@mediagate/concurrency';
import type { Database } from '@mediagate/database';
import type { Scope } from '@mediagate/host';
import { createOperatorFinder } from '@mediagate/identity';
import { createMediaLoader } from '@mediagate/media';
import type { Queues, RedisClient } from '@mediagate/queue';
import type { Api } from './api';
import type { AppOptions } from './api-options';
import type { Application } from './app';
import { followApiSettings } from './follow-settings';
import { createRequestRecorder } from './http/access-record';
import { createOperatorAuthenticator } from './http/authenticate-operator';
import { createRateLimit } from './http/limits/rate-limit';
import { createRequestScopes } from './http/request-scope';
import { type Domains, openDomains } from './open-domains';
import { openJudges } from './open-judges';
import { openKeys } from './open-keys';
import { openMedia } from './open-media';
import { openBooks, openRedis, openUpstreams } from './open-resources';
import { openVendorCallbacks } from './open-vendor-callbacks';
import { openWaitingTasks, type WaitingTasks } from './open-waiting-tasks';
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
  const { queues, redis } = openRedis(scope, config, times);
  const database = await openBooks(scope, config);
  const settings = await openSettings(scope, database, options);
  const measured = openMeasured(scope, settings);
  const { catalogue, webhookRules, channelDomain: channels } = settings.followed;
  const { onEnded } = measured;
  const { cancelWaitMs } = times;
  const domains = openDomains(scope, { database, queues, catalogue, channels, webhookRules, onEnded, cancelWaitMs });
  const waits = await openWaitingTasks(scope, { ...options, ...domains, queues });
  const media = await openMedia(scope, database, { ...settings, config });
  const opened: Opened = { ...settings, ...measured, domains, waits, media, queues, redis };
  const serving = openServing(scope, opened, options);
  const application: Application = {
    api: openApi(scope, { ...opened, serving }, options),
    operators: openOperators(opened, options),
    serving,
    legacyPrefix: config.IMGTOOL_LEGACY_PREFIX,
    pageOrigins: config.CORS_ORIGINS,
  };
  return { application, waits, queues, catalogue };
}

/** The parts that are opened for callers and operators alike. */
interface Opened extends OpenedSettings, ReturnType<typeof openMeasured> {
  domains: Domains;
  waits: WaitingTasks;
  media: Awaited<ReturnType<typeof openMedia>>;
  queues: Queues;
  redis: RedisClient;
}

/** The context of callers' routes. */
function openApi(
  scope: Scope,
  { serving, domains, waits, media, queues, textChannels, ...opened }: Opened & Pick<Application, 'serving'>,
  { config, times, shutdown, translator }: AppOptions,
): Api {
  const { database } = domains;
  const { models, catalogue, uploadQuotas } = opened.followed;
  const judges = openJudges(scope, { ...opened, translator });
  return {
    ...domains,
    ...waits,
    ...media,
    ...judges,
    ...openVendorCallbacks(scope, { database, queues, secret: config.MEDIAGATE_LINK_SECRET }),
    models,
    catalogue,
    uploadQuotas,
    textChannels,
    shutdown,
    pepper: config.MEDIAGATE_KEY_PEPPER,
    publicBaseUrl: opened.publicBaseUrl,
    creditsPerUnit: config.CREDITS_PER_UNIT,
    storagePatienceMs: times.storagePatienceMs,
    forgetKey: serving.authenticator.forget,
    loadMedia: createMediaLoader({ client: judges.client, store: media.mediaStore, prober: media.prober }),
    slots: new SlotQueue({ waitMs: times.slotWaitMs }),
    findEarlier: createEarlierFinder(database),
    enqueueTask: createEnqueueTask({ queues, logger: scope.logger, windowJobs: config.DISPATCH_WINDOW }),
    endedRecords: new EndedRecords(ENDED_RECORDS),
    usageSlots: createUsageSlots(),
  };
}

/** The context of operators' routes. */
function openOperators({ domains, media, queues, followed }: Opened, { config }: AppOptions): Operators {
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
  const findOperator = createOperatorFinder(database, config.MEDIAGATE_KEY_PEPPER);
  return {
    logger,
    models: followed.models,
    callerFiles: media.callerFiles,
    scopes: openRequestScopes(scope),
    bodyPace: {
      periodMs: config.BODY_PERIOD_SECONDS * 1000,
      fileLinks: media.mediaStore.directUploads && '/v1/files/presign',
    },
    authenticator: openKeys(scope, { config, database, usesMs: times.keyUsesMs }),
    authenticateOperator: createOperatorAuthenticator(findOperator, new Pace(WRONG_TOKENS_PER_ADDRESS)),
    rateLimit: createRateLimit({ redis, prefix: config.REDIS_PREFIX, logger }),
    recordRequest: createRequestRecorder(logger, metrics, shutdown),
  };
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
