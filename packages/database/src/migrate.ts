import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { MigrationDirectory, MigrationList, SchemaEngine } from '@prisma/schema-engine-wasm/schema_engine_bg';
import { Client } from 'pg';
import { isPoolerUrl } from './database';
import { createMigrationAdapter } from './migration-adapter';
import { NO_FILTERS, withSchemaEngine } from './schema-engine';

export const MIGRATIONS_DIRECTORY = join(__dirname, '../../../prisma/migrations');

/**
 * Applies what is missing of a directory in Prisma's own format and returns the names it applied, oldest first. Any number
 * of processes may call it at once: one works, the others wait for it and find nothing left.
 *
 * A migration and the note that it is done are one transaction, so a process that dies on the way leaves a row that says
 * "started" and nothing else. The next call clears that row and starts the migration again.
 *
 * @throws Error with the engine's message: a migration that fails, one that was edited after it was applied, no connection.
 */
export async function migrate(
  databaseUrl: string,
  migrationsDirectory: string = MIGRATIONS_DIRECTORY,
): Promise<{ applied: string[] }> {
  if (isPoolerUrl(databaseUrl)) throw new Error(NEEDS_A_SESSION);
  const migrationsList = await readMigrations(migrationsDirectory);
  const client = new Client({ connectionString: databaseUrl, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  await client.connect();
  try {
    await client.query(`SET lock_timeout = ${LOCK_TIMEOUT_MS}`);
    await client.query('SELECT pg_advisory_lock($1)', [LOCK_KEY]);
    await forgetInterrupted(client);
    const adapter = createMigrationAdapter(databaseUrl, MARK_FINISHED);
    return await withSchemaEngine(adapter, async (engine) => {
      await refuseEdited(engine, migrationsList);
      const output = await engine.applyMigrations({ migrationsList, filters: NO_FILTERS });
      return { applied: output.appliedMigrationNames };
    });
  } finally {
    // The lock belongs to the session and goes with it.
    await client.end();
  }
}

const NEEDS_A_SESSION =
  'migrations hold a lock for as long as they run, which a pooler in transaction mode loses: name PostgreSQL itself, without pgbouncer=true';
const CONNECT_TIMEOUT_MS = 10_000;
/** How long to wait for another process that is migrating. */
const LOCK_TIMEOUT_MS = 120_000;
/** Any number that nobody else locks; Prisma's own is 72707369. */
const LOCK_KEY = 2_026_112_100;

const MARK_FINISHED = `
  UPDATE _prisma_migrations SET finished_at = now() WHERE finished_at IS NULL AND rolled_back_at IS NULL`;

async function forgetInterrupted(client: Client): Promise<void> {
  const history = await client.query<{ exists: boolean }>(
    `SELECT to_regclass('_prisma_migrations') IS NOT NULL AS exists`,
  );
  if (history.rows[0]?.exists !== true) return;
  await client.query(
    'UPDATE _prisma_migrations SET rolled_back_at = now() WHERE finished_at IS NULL AND rolled_back_at IS NULL',
  );
}

/** What was applied once is never applied again, so a change to it would silently be missing here. */
async function refuseEdited(engine: SchemaEngine, migrationsList: MigrationList): Promise<void> {
  const found = await engine.diagnoseMigrationHistory({
    migrationsList,
    optInToShadowDatabase: false,
    filters: NO_FILTERS,
  });
  const names = found.editedMigrationNames.join(', ');
  if (names !== '') throw new Error(`Changed after it was applied to this database: ${names}.`);
}

/** The migrations of a directory in Prisma's own layout: `<name>/migration.sql` beside `migration_lock.toml`. */
export async function readMigrations(directory: string): Promise<MigrationList> {
  const entries = await readdir(directory, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return {
    baseDir: directory,
    lockfile: { path: 'migration_lock.toml', content: await readFile(join(directory, 'migration_lock.toml'), 'utf8') },
    shadowDbInitScript: '',
    migrationDirectories: await Promise.all(names.sort().map((name) => readMigration(directory, name))),
  };
}

async function readMigration(directory: string, name: string): Promise<MigrationDirectory> {
  const value = await readFile(join(directory, name, 'migration.sql'), 'utf8');
  return { path: name, migrationFile: { path: 'migration.sql', content: { tag: 'ok', value } } };
}
