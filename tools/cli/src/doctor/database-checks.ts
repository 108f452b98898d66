import { WORKER_FAMILIES } from '@mediagate/contracts';
import {
  type ConnectedService,
  checkConnections,
  compareMigrations,
  type Database,
  isPoolerUrl,
  listServices,
  warnOfRoleSettings,
} from '@mediagate/database';
import { version } from '../../package.json';
import { databaseName } from '../session';
import type { Check, Finding } from './check';
import { clockFinding, measure } from './clock-finding';
import { type Examined, listed } from './examined';

/** PostgreSQL 15; docs/deployment.md names it, too. */
const OLDEST_SERVER = 150_000;
/** A share of the connections that are accepted: what is left must do for a process that starts. */
const FEW_FREE = 0.1;
const RUNBOOK = 'postgres-down.md';

/** The database: its server, its tables, its clock, and who works on it. */
export function databaseChecks(examined: Examined): Check[] {
  const { database, databaseUrl: url, withinMs } = examined;
  return [
    {
      name: 'PostgreSQL',
      look: async () => [await serverFinding(await examined.openDatabase(), url())],
      unreachable: { action: 'Bring PostgreSQL back, or correct DATABASE_URL.', runbook: RUNBOOK },
    },
    { name: 'connections', look: async () => connectionFindings(await database(), examined) },
    {
      name: 'migrations',
      async look() {
        await database();
        return migrationFindings(await compareMigrations(url(), { withinMs }));
      },
    },
    {
      name: 'clock of PostgreSQL',
      async look() {
        const asked = await database();
        const look = async () => {
          await asked.ping();
          return asked.use().clockAheadSeconds;
        };
        return [clockFinding(await measure(look))];
      },
    },
    { name: 'processes', look: async () => processFindings(await database(), url()) },
    { name: 'backups', look: async () => [await backupFinding(await database())] },
  ];
}

async function serverFinding(database: Database, url: string): Promise<Finding> {
  const [server] = await database.readServer();
  const number = server?.version ?? 0;
  const found = `${databaseName(url)} answers: version ${Math.floor(number / 10_000)}.${number % 10_000}`;
  return number >= OLDEST_SERVER
    ? { state: 'ok', found }
    : { state: 'fault', found, action: 'Upgrade to 15 or newer.' };
}

/** Services look at the first two when they start. */
async function connectionFindings(database: Database, { databaseUrl: url, config }: Examined): Promise<Finding[]> {
  const found: Finding[] = [];
  const warn = (_event: string, { detail = 'nobody could look' }) => found.push({ state: 'warning', found: detail });
  const { DATABASE_CONNECTIONS, DATABASE_MAX_CONNECTIONS } = config;
  const ofServices = { DATABASE_URL: url(), DATABASE_CONNECTIONS, DATABASE_MAX_CONNECTIONS };
  await checkConnections({ database, config: ofServices, poolSize: 1, logger: { warn } });
  await warnOfRoleSettings({ database, url: url(), logger: { warn } });
  if (isPoolerUrl(url())) {
    return [...found, { state: 'unknown', found: 'the pooler at DATABASE_URL says nothing of those that it accepts' }];
  }
  const [server = { accepted: 0, free: 0 }] = await database.readServer();
  const { accepted, free } = server;
  const of = { found: `${free} of ${accepted} are free` };
  const action = 'Raise max_connections, lower pools or replicas, or put a pooler between.';
  found.push(free < accepted * FEW_FREE ? { state: 'warning', ...of, action } : { state: 'ok', ...of });
  return found;
}

function migrationFindings({ missing, unknown, changed }: Awaited<ReturnType<typeof compareMigrations>>): Finding[] {
  const found: Finding[] = [];
  if (missing.length > 0) {
    found.push({
      state: 'fault',
      found: `not applied: ${listed(missing)}`,
      action: 'Run `npx mediagate migrate` before services of this release start.',
    });
  }
  if (changed.length > 0) {
    found.push({
      state: 'fault',
      found: `other than in this release: ${listed(changed)}`,
      action: 'Install a release as it was published: its migrations are never edited.',
    });
  }
  if (unknown.length > 0) {
    found.push({
      state: 'warning',
      found: `of a later release than this one (${version}): ${listed(unknown)}`,
      action: 'Run the command line of the release that the services have.',
    });
  }
  return found.length > 0 ? found : [{ state: 'ok', found: `those of ${version}` }];
}

/** Without one of these nobody takes tasks, sends callbacks, or repairs what a dead process left. */
const NEEDED = ['api', 'webhook-delivery', 'reconciler'];

/** A family without a worker is a trouble where it has work, and no fault before. */
async function processFindings(database: Database, url: string): Promise<Finding[]> {
  if (isPoolerUrl(url))
    return [{ state: 'unknown', found: 'behind a pooler nobody can tell which processes are there' }];
  const known = new Set<string>([...NEEDED, ...WORKER_FAMILIES, 'console']);
  const services = (await listServices(database)).filter(({ service }) => known.has(service));
  const missing = NEEDED.filter((name) => !services.some(({ service }) => service === name));
  const others = services.filter((each) => each.version !== version);
  const found: Finding[] = missing.map((name) => ({
    state: 'fault',
    found: `no ${name} is connected to the database`,
    action: `Start a ${name}; if one runs, its log says why it does not connect.`,
    runbook: 'process-down.md',
  }));
  if (others.length > 0) {
    found.push({
      state: 'warning',
      found: `of another release than ${version}: ${listed(others.map(nameOf))}`,
      action: 'End the upgrade or the roll-back, so that all processes are of one release.',
    });
  }
  return found.length > 0 ? found : [{ state: 'ok', found: `${listed(services.map(nameOf))}` }];
}

function nameOf({ service, version: release }: ConnectedService): string {
  return `${service} ${release}`;
}

const HOUR_MS = 3_600_000;
/** The alert of docs/deployment.md on backups by schedule has the same. */
const OLD_HOURS = 36;

/** Reads the audit log, in which backups that another program takes are not. */
async function backupFinding(database: Database): Promise<Finding> {
  const newest = (action: string) =>
    database.auditLogEntry.findFirst({
      where: { action },
      orderBy: { id: 'desc' },
      select: { createdAt: true, detail: true },
    });
  const [written, tried] = await Promise.all([newest('database.backup'), newest('database.try_backup')]);
  if (written === null) {
    const action = 'Take one by schedule, unless PostgreSQL archives its WAL (docs/deployment.md, Backups).';
    return { state: 'warning', found: 'none was taken by `npx mediagate backup`', action };
  }
  const hours = Math.floor((Date.now() - written.createdAt.getTime()) / HOUR_MS);
  const found = `the newest is ${hours} hours old`;
  if (hours >= OLD_HOURS) return { state: 'warning', found, action: 'See why the schedule writes none.' };
  if (tried === null || tried.createdAt < written.createdAt) {
    return { state: 'warning', found: `${found}, and was not tried`, action: 'Take it with --try.' };
  }
  const { violations = 0 } = tried.detail as { violations?: number };
  if (violations === 0) return { state: 'ok', found: `${found}, and its trial was clean` };
  const action = 'Audit the live books, and keep the older backups.';
  return { state: 'fault', found: `${found}, and its books are broken`, action, runbook: 'audit-violation.md' };
}
