import '@mediagate/require-node';
import { createFinisher } from '@mediagate/billing';
import { openDatabase, warnOfRoleSettings } from '@mediagate/database';
import { loadConfig, run, visibleSettings } from '@mediagate/host';
import { openMediaStore } from '@mediagate/media';
import { openQueues } from '@mediagate/queue';
import { openSettings } from '@mediagate/settings';
import { Counter } from 'prom-client';
import { reconcilerSettings } from './config';
import { auditLedger } from './duties/audit-ledger';
import { endAbandonedTasks } from './duties/end-abandoned-tasks';
import { expireMedia } from './duties/expire-media';
import { expireTasks } from './duties/expire-tasks';
import { measureDueTasks } from './duties/measure-due-tasks';
import { pruneIdempotency, pruneMediaRecords, pruneTaskRecords } from './duties/prune-records';
import { wakeDeliveries } from './duties/wake-deliveries';
import { wakeTasks } from './duties/wake-tasks';
import { type Duty, keepRunning } from './duty';

const POOL_SIZE = 4;
const STATEMENT_TIMEOUT_MS = 30_000;

void run('reconciler', async (scope) => {
  const { logger, metrics } = scope;
  const config = loadConfig(reconcilerSettings);
  logger.info('process.settings', { settings: visibleSettings(reconcilerSettings, config) });
  const database = openDatabase({
    url: config.DATABASE_URL,
    poolSize: POOL_SIZE,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    applicationName: 'mediagate-reconciler',
  });
  scope.defer('database', () => database.close());
  void warnOfRoleSettings({ database, url: config.DATABASE_URL, logger });
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
  const done = new Counter({
    name: 'mediagate_duty_done_total',
    help: 'Rows a duty acted on',
    registers: [metrics],
    labelNames: ['duty'],
  });

  const duties: Duty[] = [
    wakeTasks(database, queues),
    wakeDeliveries(database, queues),
    expireTasks(database, createFinisher(database), queues),
    endAbandonedTasks(database, createFinisher(database)),
    expireMedia(media, logger),
    pruneMediaRecords(media),
    pruneTaskRecords(database, config.TASK_RETENTION_DAYS),
    pruneIdempotency(database),
    measureDueTasks(database, metrics),
    auditLedger(database, { logger, metrics, everyMs: config.AUDIT_SECONDS * 1000 }),
  ];
  const stops = duties.map((duty) => keepRunning(duty, logger, (count) => done.inc({ duty: duty.name }, count)));
  scope.onDrain('duties', async () => {
    await Promise.all(stops.map((stop) => stop()));
  });
  scope.addReadinessCheck('database', () => database.ping());
});
