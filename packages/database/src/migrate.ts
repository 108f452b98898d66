import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { retry } from '@mediagate/concurrency';
import type { MigrationDirectory, MigrationList, SchemaEngine } from '@prisma/schema-engine-wasm/schema_engine_bg';
import { Client } from 'pg';
import { isPoolerUrl } from './connections';
import { BUILD_LOCK_TIMEOUT_MS, createMigrationAdapter, indexBuiltBy } from './migration-adapter';
import { NO_FILTERS, withSchemaEngine } from './schema-engine';

export const MIGRATIONS_DIRECTORY = join(__dirname, '../../../prisma/migrations');

/**
 * Applies what is missing of a directory in Prisma's own format and returns the names it applied, oldest first. Any number
 * of processes may call it at once: one works, the others wait for it and find nothing left.
 *
 * A migration and the note that it is done are one transaction, so a process that dies on the way leaves a row that says
 * "started" and nothing else. The next call clears that row and starts the migration again. An index that is built concurrently
 * cannot be part of a transaction; what a broken build left is dropped by the next call, which builds it again.
 *
 * A migration waits a second at most for the lock of a table, because all who use the table queue behind it. Then it lets them go on,
 * and tries again a few seconds later.
 *
 * @param options.retryWithinMs how long a table may be in use before it is given up.
 * @param options.only the names to apply: those that a backup was taken under.
 * @throws Error with the engine's message: a migration that fails, one that was edited after it was applied, no connection; or for a
 * database of a build from before 0.1.0.
 */
export async function migrate(
  databaseUrl: string,
  migrationsDirectory: string = MIGRATIONS_DIRECTORY,
  { retryWithinMs = RETRY_WITHIN_MS, only }: { retryWithinMs?: number; only?: ReadonlySet<string> } = {},
): Promise<{ applied: string[] }> {
  if (isPoolerUrl(databaseUrl)) throw new Error(NEEDS_A_SESSION);
  const migrationsList = await readMigrations(migrationsDirectory, only);
  const client = new Client({ connectionString: databaseUrl, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  await client.connect();
  try {
    await lockOthersOut(client);
    const before = await finishedMigrations(client);
    refuseOtherBeginning(before, migrationsList);
    await retry(() => applyMissing(client, databaseUrl, migrationsList), {
      firstPauseMs: RETRY_AFTER_MS,
      withinMs: retryWithinMs,
      isWorthRetrying: isLockTimeout,
    });
    return { applied: migrationsList.migrationDirectories.map(({ path }) => path).filter((name) => !before.has(name)) };
  } catch (error) {
    throw isLockTimeout(error) ? new Error(TABLE_IN_USE, { cause: error }) : error;
  } finally {
    // The lock belongs to the session and goes with it.
    await client.end();
  }
}

async function applyMissing(client: Client, databaseUrl: string, migrationsList: MigrationList): Promise<void> {
  await forgetInterrupted(client);
  await dropBrokenIndexes(client, migrationsList);
  await withSchemaEngine(createMigrationAdapter(databaseUrl, MARK_FINISHED), async (engine) => {
    await refuseEdited(engine, migrationsList);
    await engine.applyMigrations({ migrationsList, filters: NO_FILTERS });
  });
}

/** The first migration makes all tables of 0.1.0, so it would fail on tables that other migrations made. */
function refuseOtherBeginning(before: ReadonlySet<string>, { migrationDirectories }: MigrationList): void {
  const first = migrationDirectories[0]?.path;
  if (first !== undefined && before.size > 0 && !before.has(first)) throw new Error(MADE_BEFORE);
}

const MADE_BEFORE =
  'a build from before 0.1.0 made the tables of this database, and its migrations lead no further: start anew with an empty database, which for `npm start` means removing its folder (MEDIAGATE_HOME, else .mediagate)';
const NEEDS_A_SESSION =
  'migrations hold a lock for as long as they run, which a pooler in transaction mode loses: name PostgreSQL itself, without pgbouncer=';
const CONNECT_TIMEOUT_MS = 10_000;
const TABLE_IN_USE =
  'a table was in use for longer than a migration waits for it, so that nobody else waits for long: that migration changed nothing; end what has long transactions (pg_stat_activity) or choose a quieter moment, and run it again';
/** Statements of the services end after ten seconds; what lasts longer than this is a backup, or a session that somebody forgot. */
const RETRY_WITHIN_MS = 120_000;
/** The pause is this to twice this long: who queued behind the lock for a second goes on meanwhile. */
const RETRY_AFTER_MS = 5000;
/** How long to wait for another process that is migrating, which may be building an index. */
const OTHERS_TIMEOUT_MS = BUILD_LOCK_TIMEOUT_MS;
const ASK_EVERY_MS = 200;
/** Any number that nobody else locks; Prisma's own is 72707369. */
const LOCK_KEY = 2_026_112_100;

const MARK_FINISHED = `
  UPDATE _prisma_migrations SET finished_at = now() WHERE finished_at IS NULL AND rolled_back_at IS NULL`;

/** Asks again and again: a statement that waited would be a transaction, and concurrent builds wait for every older one. */
async function lockOthersOut(client: Client): Promise<void> {
  const giveUpAt = performance.now() + OTHERS_TIMEOUT_MS;
  for (;;) {
    const { rows } = await client.query<{ locked: boolean }>('SELECT pg_try_advisory_lock($1) AS locked', [LOCK_KEY]);
    if (rows[0]?.locked === true) return;
    if (performance.now() > giveUpAt) throw new Error('another process is migrating this database and does not end');
    await delay(ASK_EVERY_MS);
  }
}

/** IF NOT EXISTS would take an index that a broken build left, and that answers nothing, for a good one. */
async function dropBrokenIndexes(client: Client, { migrationDirectories }: MigrationList): Promise<void> {
  const names = migrationDirectories.flatMap(({ migrationFile: { content } }) =>
    content.tag === 'ok' ? (indexBuiltBy(content.value) ?? []) : [],
  );
  const { rows } = await client.query<{ name: string }>(
    `SELECT i.indexrelid::regclass::text AS name FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
     WHERE NOT i.indisvalid AND c.relnamespace = current_schema()::regnamespace AND c.relname = ANY($1)`,
    [names],
  );
  // Waits for a build that still runs at the server, after the process that began it has died.
  await client.query(`SET lock_timeout = ${BUILD_LOCK_TIMEOUT_MS}`);
  for (const { name } of rows) await client.query(`DROP INDEX CONCURRENTLY ${name}`);
}

function isLockTimeout(error: unknown): boolean {
  return error instanceof Error && /lock timeout|deadlock detected/.test(error.message);
}

export async function finishedMigrations(client: Client): Promise<Set<string>> {
  if (!(await hasHistory(client))) return new Set();
  const { rows } = await client.query<{ name: string }>(
    'SELECT migration_name AS name FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL',
  );
  return new Set(rows.map(({ name }) => name));
}

async function hasHistory(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ exists: boolean }>(
    `SELECT to_regclass('_prisma_migrations') IS NOT NULL AS exists`,
  );
  return rows[0]?.exists === true;
}

async function forgetInterrupted(client: Client): Promise<void> {
  if (!(await hasHistory(client))) return;
  await client.query(
    'UPDATE _prisma_migrations SET rolled_back_at = now() WHERE finished_at IS NULL AND rolled_back_at IS NULL',
  );
}

/** Refuses a migration that was edited after it was applied: it is never applied again, so the change would silently be missing here. */
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
export async function readMigrations(directory: string, only?: ReadonlySet<string>): Promise<MigrationList> {
  const entries = await readdir(directory, { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  const names = folders.filter((name) => only?.has(name) ?? true);
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
