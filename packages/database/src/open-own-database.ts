import { type ConnectionCheck, checkConnections } from './check-connections';
import { type Database, openDatabase } from './database';
import { warnOfRoleSettings } from './role-settings';

/** The service's process: the database is closed with it, and the process is not ready while the database does not answer. */
export interface DatabaseOwner {
  logger: ConnectionCheck['logger'];
  defer(name: string, close: () => Promise<void>): void;
  addReadinessCheck(name: string, check: () => Promise<void>): void;
}

export interface OwnDatabaseOptions {
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
  const database = openDatabase({ url, ...limits, applicationName: `mediagate-${service}` });
  owner.defer('database', () => database.close());
  owner.addReadinessCheck('database', () => database.ping());
  await checkConnections({ database, config, poolSize, logger });
  void warnOfRoleSettings({ database, url, logger });
  return database;
}
