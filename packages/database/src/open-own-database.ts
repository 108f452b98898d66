import { version } from '../package.json';
import { isPoolerUrl } from './connections';
import { type Database, openDatabase } from './database';

/** The service's process: the database is closed with it, and the process is not ready while the database does not answer. */
interface DatabaseOwner {
  logger: ConnectionCheck['logger'];
  defer(name: string, close: () => Promise<void>): void;
  addReadinessCheck(name: string, check: () => Promise<void>): void;
}

interface OwnDatabaseOptions {
  /** The name of the service, by which PostgreSQL lists its connections. */
  service: string;
  config: ConnectionCheck['config'];
  poolSize: number;
  statementTimeoutMs: number;
  /** How long the process waits for a connection; default 3 s. */
  connectTimeoutMs?: number | undefined;
}

/**
 * Opens the database as each service has it: checked against what the server accepts, and closed by its owner.
 *
 * @throws TooManyConnectionsError where the pool is larger than what is accepted.
 */
export async function openOwnDatabase(owner: DatabaseOwner, options: OwnDatabaseOptions): Promise<Database> {
  const { service, config, ...limits } = options;
  const { poolSize } = limits;
  const { DATABASE_URL: url } = config;
  const { logger } = owner;
  const database = openDatabase({ url, ...limits, applicationName: applicationOf(service) });
  owner.defer('database', () => database.close());
  owner.addReadinessCheck('database', () => database.ping());
  await checkConnections({ database, config, poolSize, logger });
  void warnOfRoleSettings({ database, url, logger });
  return database;
}

const OURS = 'mediagate-';

/** The name that a service of this release gives its connections: `listServices` reads it. */
function applicationOf(service: string): string {
  return `${OURS}${service} ${version}`;
}

/** A service that has connections to this database, and its release; `unknown`: one from before a connection named it. */
export interface ConnectedService {
  service: string;
  version: string;
}

/** Lists the services, and other programs of ours, that have connections to this database now. */
export async function listServices(database: Pick<Database, 'listConnections'>): Promise<ConnectedService[]> {
  const programs = await database.listConnections();
  return programs.flatMap(({ application }) => {
    if (!application.startsWith(OURS)) return [];
    const [service = '', release = 'unknown'] = application.slice(OURS.length).split(' ');
    return [{ service, version: release }];
  });
}

interface RoleSettingsDeps {
  database: Pick<Database, 'findMissingRoleSettings'>;
  url: string;
  logger: { warn(event: string, fields: { detail?: string; error?: unknown }): void };
}

/**
 * Through a pooler connections bring no settings of their own, so that the role must have them. Warns once, with what to run,
 * where it has not; without a pooler nothing is asked. Never throws: a service starts without its database, too.
 */
export async function warnOfRoleSettings({ database, url, logger }: RoleSettingsDeps): Promise<void> {
  if (!isPoolerUrl(url)) return;
  try {
    const missing = (await database.findMissingRoleSettings()).map(({ command }) => `${command};`);
    if (missing.length === 0) return;
    logger.warn('database.role_lacks_settings', {
      detail: `the pooler passes no settings on, so the role needs them: ${missing.join(' ')}`,
    });
  } catch (error) {
    logger.warn('database.role_not_checked', { error });
  }
}

interface ConnectionCheck {
  database: Pick<Database, 'readServer'>;
  config: {
    DATABASE_URL: string;
    /** Connections of all processes together at most; absent: only this process is checked. */
    DATABASE_CONNECTIONS: number | undefined;
    /** Connections that a pooler accepts, as no statement can ask it; absent: PostgreSQL is asked, and a pooler is not checked. */
    DATABASE_MAX_CONNECTIONS: number | undefined;
  };
  /** Connections of this process at most. */
  poolSize: number;
  logger: { warn(event: string, fields: { detail?: string; error?: unknown }): void };
}

/**
 * Compares what this process, and the whole deployment, may open with what the server accepts: connections that are
 * refused under load are found at the start instead. A database that is away is no reason not to start.
 *
 * @throws TooManyConnectionsError where this process alone may open more than are accepted.
 */
export async function checkConnections(check: ConnectionCheck): Promise<void> {
  const accepted = check.config.DATABASE_MAX_CONNECTIONS ?? (await askServer(check));
  if (accepted === undefined) return;
  const { poolSize, config, logger } = check;
  const planned = config.DATABASE_CONNECTIONS;
  if (poolSize > accepted) throw new TooManyConnectionsError(poolSize, accepted);
  if (planned === undefined || planned <= accepted) return;
  logger.warn('database.connections_short', {
    detail: `all services together may open ${planned} connections (DATABASE_CONNECTIONS), and ${accepted} are accepted: raise max_connections, lower pools or replicas, or put a pooler between`,
  });
}

class TooManyConnectionsError extends Error {
  constructor(poolSize: number, accepted: number) {
    super(
      `this process may open ${poolSize} connections to the database, which accepts ${accepted}: lower its pool (API_POOL_SIZE, DATABASE_POOL_SIZE), or raise max_connections or the limit of the role`,
    );
    this.name = 'TooManyConnectionsError';
  }
}

async function askServer({ database, config, logger }: ConnectionCheck): Promise<number | undefined> {
  if (isPoolerUrl(config.DATABASE_URL)) return undefined;
  try {
    return (await database.readServer())[0]?.accepted;
  } catch (error) {
    logger.warn('database.connections_not_checked', { error });
    return undefined;
  }
}
