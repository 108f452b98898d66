import '@mediagate/require-node';
import { checkConnections, type Database, openDatabase, warnOfRoleSettings } from '@mediagate/database';
import { type Config, loadConfig, run, type Scope, visibleSettings } from '@mediagate/host';
import { openMediaStore } from '@mediagate/media';
import { openQueues } from '@mediagate/queue';
import { openSettings } from '@mediagate/settings';
import { Counter, type Registry } from 'prom-client';
import { reconcilerSettings } from './config';
import { createJobs } from './create-jobs';
import { keepRunning } from './job';

const STATEMENT_TIMEOUT_MS = 30_000;

void run('reconciler', async (scope) => {
  const { logger, metrics } = scope;
  const config = loadConfig(reconcilerSettings);
  logger.info('process.settings', { settings: visibleSettings(reconcilerSettings, config) });
  const database = await openBooks(scope, config);
  const queues = openQueues({
    redisUrl: config.REDIS_URL,
    prefix: config.REDIS_PREFIX,
    onError: (error) => logger.debug('queue.error', { error }),
  });
  scope.defer('queues', () => queues.close());
  const { settings } = openSettings(config.MEDIAGATE_CONFIG, process.env, { keysOf: new Set() });
  logger.info('settings.read', { digest: settings.digest });
  const media = await openMediaStore(database, {
    storage: settings.storage,
    home: config.MEDIAGATE_HOME,
    publicBaseUrl: config.PUBLIC_BASE_URL,
    linkSecret: config.MEDIAGATE_LINK_SECRET,
  });
  const countRows = createRowCounter(metrics);

  const jobs = createJobs({
    database,
    queues,
    media,
    logger,
    metrics,
    retentionDays: config.TASK_RETENTION_DAYS,
    auditEveryMs: config.AUDIT_SECONDS * 1000,
  });
  const stops = Object.values(jobs).map((job) => keepRunning(job, logger, (count) => countRows(job.name, count)));
  scope.onDrain('jobs', async () => {
    await Promise.all(stops.map((stop) => stop()));
  });
});

async function openBooks(scope: Scope, config: Config<typeof reconcilerSettings>): Promise<Database> {
  const { DATABASE_URL: url, DATABASE_POOL_SIZE: poolSize } = config;
  const database = openDatabase({
    url,
    poolSize,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    applicationName: 'mediagate-reconciler',
  });
  scope.defer('database', () => database.close());
  scope.addReadinessCheck('database', () => database.ping());
  await checkConnections({ database, config, poolSize, logger: scope.logger });
  void warnOfRoleSettings({ database, url, logger: scope.logger });
  return database;
}

/** Counts under the present name, and for one release under the former one. */
function createRowCounter(metrics: Registry): (job: string, count: number) => void {
  const registers = [metrics];
  const help = 'Rows a job of the reconciler changed';
  const rows = new Counter({ name: 'mediagate_job_rows_total', help, registers, labelNames: ['job'] });
  const former = new Counter({ name: 'mediagate_duty_done_total', help, registers, labelNames: ['duty'] });
  return (job, count) => {
    rows.inc({ job }, count);
    former.inc({ duty: FORMER_NAMES[job] ?? job }, count);
  };
}

const FORMER_NAMES: Readonly<Record<string, string>> = {
  'enqueue-due-tasks': 'wake-tasks',
  'enqueue-due-deliveries': 'wake-deliveries',
};
