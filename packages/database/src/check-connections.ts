import { isPoolerUrl } from './connections';
import type { Database } from './database';

export interface ConnectionCheck {
  database: Pick<Database, 'readConnectionLimit'>;
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
    return (await database.readConnectionLimit())[0]?.accepted;
  } catch (error) {
    logger.warn('database.connections_not_checked', { error });
    return undefined;
  }
}
