import { createSendingRules, type WebhookSettings } from '@mediagate/callbacks';
import { currentCatalogue } from '@mediagate/catalog';
import { followConfiguration, knownLabels } from '@mediagate/channels';
import { NANO_PER_UNIT } from '@mediagate/contracts';
import { type Database, openOwnDatabase, watchDatabase } from '@mediagate/database';
import { type Config, loadConfig, type Scope, type Service, visibleSettings } from '@mediagate/host';
import { type OpenMediaStoreOptions, openMediaStore, watchStorage } from '@mediagate/media';
import { createMailer, type Mailer } from '@mediagate/notices';
import { openOwnQueues } from '@mediagate/queue';
import { createSettingsReader } from '@mediagate/settings';
import { checkSettings, reconcilerSettings } from './config';
import { createJobs } from './create-jobs';
import { runJobs } from './job';

const STATEMENT_TIMEOUT_MS = 30_000;
/** Messages that are sent at once. */
const NOTICE_CONNECTIONS = 20;
const MAIL_TIMEOUT_MS = 30_000;

/** The reconciler calls no vendor. */
const WITHOUT_KEYS = { keysOf: new Set<string>() };

type ReconcilerConfig = Config<typeof reconcilerSettings>;

export const service: Service = { name: 'reconciler', main };

async function main(scope: Scope): Promise<void> {
  const { logger, metrics } = scope;
  const config = loadConfig(reconcilerSettings);
  checkSettings(config);
  logger.info('process.settings', { settings: visibleSettings(reconcilerSettings, config) });
  const { DATABASE_POOL_SIZE: poolSize } = config;
  const statementTimeoutMs = STATEMENT_TIMEOUT_MS;
  const database = await openOwnDatabase(scope, { service: service.name, config, poolSize, statementTimeoutMs });
  watchDatabase(metrics, database);
  const queues = openOwnQueues(scope, config);
  // For the names of channels in metrics, too.
  const read = createReader(config);
  const { channels, current } = await followConfiguration(scope, { database, config, read, ...WITHOUT_KEYS });
  const { settings } = current();
  const media = await openMedia(scope, database, { config, storage: settings.storage });
  const jobs = createJobs({
    database,
    queues,
    channels,
    media,
    logger,
    metrics,
    labels: knownLabels({ catalogue: currentCatalogue(() => current().catalogue), channels }),
    retentionDays: config.TASK_RETENTION_DAYS,
    fingerprintDays: settings.media.fingerprintDays,
    booksRetentionMonths: config.BOOKS_RETENTION_MONTHS ?? undefined,
    auditEveryMs: config.AUDIT_SECONDS * 1000,
    lowBalanceNano: BigInt(config.LOW_BALANCE_UNITS) * NANO_PER_UNIT,
    windowJobs: config.DISPATCH_WINDOW,
    notices: {
      accountRules: () => current().accountRules,
      operatorRules: () => current().operatorRules,
      mailer: openMailer(config),
      reach: () => reachOf(current().settings.webhooks, config),
    },
  });
  // Begins no further message, also where the job's last batch is under way.
  scope.onDrain('messages of notices', () => jobs.sendNotices.close());
  runJobs(scope, Object.values(jobs));
}

async function openMedia(
  scope: Scope,
  database: Database,
  parts: Omit<OpenMediaStoreOptions, 'publicBaseUrl'> & { config: ReconcilerConfig },
) {
  const media = await openMediaStore(scope, database, { ...parts, publicBaseUrl: parts.config.PUBLIC_BASE_URL });
  watchStorage(scope.metrics, media.health);
  return media;
}

/** Reads the file with the rules of notices that follow from it. */
function createReader(config: ReconcilerConfig) {
  const read = createSettingsReader(config.MEDIAGATE_CONFIG, process.env, WITHOUT_KEYS);
  return () => {
    const opened = read();
    return { ...opened, ...noticeRules(opened.settings.webhooks, config) };
  };
}

/** Operators may have their notices posted to where no caller may have anything posted. */
function noticeRules(webhooks: WebhookSettings, config: ReconcilerConfig) {
  const { ownHosts, hasMail: _, ...ofOperators } = reachOf(webhooks, config);
  const options = { ownHosts, maxConnections: NOTICE_CONNECTIONS };
  return {
    accountRules: createSendingRules(webhooks, options),
    operatorRules: createSendingRules({ ...webhooks, ...ofOperators }, options),
  };
}

function reachOf({ allowPorts, allowPrivateCidrs, allowOrigins }: WebhookSettings, config: ReconcilerConfig) {
  return {
    hasMail: config.SMTP_URL !== undefined,
    allowPorts,
    allowPrivateCidrs,
    allowOrigins: [...allowOrigins, ...config.NOTICE_ALLOW_ORIGINS],
    ownHosts: [new URL(config.PUBLIC_BASE_URL).hostname, ...config.OWN_HOSTS],
  };
}

function openMailer({ SMTP_URL: url, NOTICE_FROM: from }: ReconcilerConfig): Mailer | undefined {
  return url === undefined ? undefined : createMailer({ url, from, timeoutMs: MAIL_TIMEOUT_MS });
}
