import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type Database, openDatabase } from '@mediagate/database';
import { Client, escapeIdentifier } from 'pg';
import { fromEnvironment, type PostgresAnswer } from './environment';

export interface TestDatabase {
  databaseUrl: string;
  /** Refuses while a connection is open, naming it: a test that leaves one behind must not pass. */
  drop(): Promise<void>;
}

/**
 * A database of the test's own, with every migration applied: a copy of a template, which takes some 30 ms. Copied as files: by
 * its log, as is usual, a copy takes twice the CPU.
 */
export async function createTestDatabase(): Promise<TestDatabase> {
  const response = await fetch(fromEnvironment('keeperUrl'), { headers: { connection: 'close' } });
  if (!response.ok) throw new Error(await response.text());
  const { adminUrl, template } = (await response.json()) as PostgresAnswer;

  const name = `test_${randomBytes(8).toString('hex')}`;
  await withClient(adminUrl, (client) =>
    client.query(`CREATE DATABASE ${name} TEMPLATE ${escapeIdentifier(template)} STRATEGY FILE_COPY`),
  );
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  return { databaseUrl: url.href, drop: () => withClient(adminUrl, (client) => drop(client, name)) };
}

/** As long as a busy machine needs for a statement, or to open a connection. */
export const PATIENCE = { statementTimeoutMs: 60_000, connectTimeoutMs: 60_000 };

export interface OpenTestDatabase {
  databaseUrl: string;
  database: Database;
  /** Connections of their own, as another process has them. */
  another(): Database;
  /** Closes all connections and drops the database. */
  close(): Promise<void>;
}

/** A database of the test's own, and connections to it. */
export async function openTestDatabase(poolSize = 4): Promise<OpenTestDatabase> {
  const { databaseUrl, drop } = await createTestDatabase();
  const opened: Database[] = [];
  function another(): Database {
    const applicationName = `test-${opened.length}`;
    const database = openDatabase({ url: databaseUrl, poolSize, applicationName, ...PATIENCE });
    opened.push(database);
    return database;
  }
  return {
    databaseUrl,
    database: another(),
    another,
    async close() {
      await Promise.all(opened.map((database) => database.close()));
      await drop();
    },
  };
}

/** The server keeps a closed connection for a moment, which is long on a busy machine. */
const CLOSE_LIMIT_MS = 30_000;
const POLL_MS = 20;

async function drop(client: Client, name: string): Promise<void> {
  const deadline = Date.now() + CLOSE_LIMIT_MS;
  let open = await sessions(client, name);
  while (open.length > 0 && Date.now() < deadline) {
    await delay(POLL_MS);
    open = await sessions(client, name);
  }
  await client.query(`DROP DATABASE ${name} WITH (FORCE)`);
  if (open.length > 0) throw new Error(`The test left connections open: ${open.join(', ')}`);
}

async function sessions(client: Client, name: string): Promise<string[]> {
  const { rows } = await client.query<{ session: string }>(
    `SELECT coalesce(nullif(application_name, ''), 'unnamed') || ' (' || coalesce(left(query, 80), '') || ')' AS session
     FROM pg_stat_activity WHERE datname = $1 AND backend_type = 'client backend'`,
    [name],
  );
  return rows.map((row) => row.session);
}

async function withClient<Result>(url: string, work: (client: Client) => Promise<Result>): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
