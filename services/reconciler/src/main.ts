import '@mediagate/require-node';
import { followOverrides, followSettings } from '@mediagate/channels';
import { NANO_PER_UNIT } from '@mediagate/contracts';
import { checkConnections, type Database, openDatabase, warnOfRoleSettings } from '@mediagate/database';
import { type Config, loadConfig, run, type Scope, visibleSettings } from '@mediagate/host';
import { openMediaStore } from '@mediagate/media';
import { knownLabels, watchDatabase, watchOverrides } from '@mediagate/metrics';
import { createMailer, type Mailer } from '@mediagate/notices';
import { openQueues, type Queues } from '@mediagate/queue';
import { createPartReader, openSettings } from '@mediagate/settings';
import { createSendingRules, type WebhookSettings } from '@mediagate/webhooks';
import { Counter } from 'prom-client';
import { reconcilerSettings } from './config';
import { createJobs, type Jobs } from './create-jobs';
import { keepRunning } from './job';

const STATEMENT_TIMEOUT_MS = 30_000;
/** Messages that are sent at once. */
const NOTICE_CONNECTIONS = 20;
const MAIL_TIMEOUT_MS = 30_000;

/** It calls no vendor. */
const WITHOUT_KEYS = { keysOf: new Set<string>() };

type ReconcilerConfig = Config<typeof reconcilerSettings>;

void run('reconciler', async (scope) => {
  const { logger, metrics } = scope;
  const config = loadConfig(reconcilerSettings);
  logger.info('process.settings', { settings: visibleSettings(reconcilerSettings, config) });
  const database = await openBooks(scope, config);
  const queues = openJobQueues(scope, config);
  const followed = followOwnSettings(scope, config);
  // For the names of channels in metrics.
  watchOverrides(metrics, await followOverrides(scope, { database, followed }));
  const { channels, current } = followed;
  const { settings, catalogue } = current();
  const { MEDIAGATE_HOME: home, PUBLIC_BASE_URL: publicBaseUrl, MEDIAGATE_LINK_SECRET: linkSecret } = config;
  const media = await openMediaStore(database, { storage: settings.storage, home, publicBaseUrl, linkSecret });
  const rows = new Counter({
    name: 'mediagate_job_rows_total',
    help: 'Rows a job of the reconciler changed',
    registers: [metrics],
    labelNames: ['job'],
  });

  const jobs = createJobs({
    database,
    queues,
    media,
    logger,
    metrics,
    labels: knownLabels({ catalogue, channels }),
    retentionDays: config.TASK_RETENTION_DAYS,
    auditEveryMs: config.AUDIT_SECONDS * 1000,
    lowBalanceNano: BigInt(config.LOW_BALANCE_UNITS) * NANO_PER_UNIT,
    windowJobs: config.DISPATCH_WINDOW,
    notices: {
      accountRules: () => current().accountRules,
      operatorRules: () => current().operatorRules,
      mailer: openMailer(config),
    },
  });
  runJobs(scope, jobs, (job, count) => rows.inc({ job }, count));
});

function followOwnSettings(scope: Scope, config: ReconcilerConfig) {
  return followSettings(scope, {
    read: () => {
      const opened = openSettings(config.MEDIAGATE_CONFIG, process.env, WITHOUT_KEYS);
      return { ...opened, ...noticeRules(opened.settings.webhooks, config) };
    },
    reader: createPartReader(process.env, WITHOUT_KEYS),
  });
}

function runJobs(scope: Scope, jobs: Jobs, onRun: (job: string, count: number) => void): void {
  const stops = Object.values(jobs).map((job) => keepRunning(job, scope.logger, (count) => onRun(job.name, count)));
  scope.onDrain('jobs', async () => {
    await Promise.all([jobs.sendNotices.close(), ...stops.map((stop) => stop())]);
    await jobs.dispatchTasks.close();
    await jobs.tellNotices.close();
  });
}

/** Operators may have their notices posted to where no caller may have anything posted. */
function noticeRules(webhooks: WebhookSettings, config: ReconcilerConfig) {
  const ownHosts = [new URL(config.PUBLIC_BASE_URL).hostname, ...config.OWN_HOSTS];
  const options = { ownHosts, maxConnections: NOTICE_CONNECTIONS };
  const allowOrigins = [...webhooks.allowOrigins, ...config.NOTICE_ALLOW_ORIGINS];
  return {
    accountRules: createSendingRules(webhooks, options),
    operatorRules: createSendingRules({ ...webhooks, allowOrigins }, options),
  };
}

function openMailer({ SMTP_URL: url, NOTICE_FROM: from }: ReconcilerConfig): Mailer | undefined {
  return url === undefined ? undefined : createMailer({ url, from, timeoutMs: MAIL_TIMEOUT_MS });
}

function openJobQueues(scope: Scope, { REDIS_URL: redisUrl, REDIS_PREFIX: prefix }: ReconcilerConfig): Queues {
  const onError = (error: Error) => scope.logger.debug('queue.error', { error });
  const queues = openQueues({ redisUrl, prefix, onError });
  scope.defer('queues', () => queues.close());
  return queues;
}

async function openBooks(scope: Scope, config: ReconcilerConfig): Promise<Database> {
  const { DATABASE_URL: url, DATABASE_POOL_SIZE: poolSize } = config;
  const database = openDatabase({
    url,
    poolSize,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    applicationName: 'mediagate-reconciler',
  });
  scope.defer('database', () => database.close());
  scope.addReadinessCheck('database', () => database.ping());
  watchDatabase(scope.metrics, database);
  await checkConnections({ database, config, poolSize, logger: scope.logger });
  void warnOfRoleSettings({ database, url, logger: scope.logger });
  return database;
}
