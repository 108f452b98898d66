import { createHash, randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { retry } from '@mediagate/concurrency';
import type { Client, DatabaseError } from 'pg';
import { isPoolerUrl } from './connections';
import { createOwnClient } from './own-client';

export const MIGRATIONS_DIRECTORY = join(__dirname, '../../../prisma/migrations');

export interface Migration {
  name: string;
  sql: string;
}

/**
 * Applies what is missing of a directory in Prisma's own format, with a history as Prisma keeps it, and returns the names it applied,
 * oldest first. Any number of processes may call it at once: one works, the others wait for it and find nothing left.
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
 * @throws Error for a migration that fails, with PostgreSQL's message, or was edited after it was applied; without a connection; for a
 * database that has tables of somebody else, or of a build from before 0.1.0.
 */
export async function migrate(
  databaseUrl: string,
  migrationsDirectory: string = MIGRATIONS_DIRECTORY,
  { retryWithinMs = RETRY_WITHIN_MS, only }: { retryWithinMs?: number; only?: ReadonlySet<string> } = {},
): Promise<{ applied: string[] }> {
  if (isPoolerUrl(databaseUrl)) throw new Error(NEEDS_A_SESSION);
  const migrations = await readMigrations(migrationsDirectory, only);
  const client = createOwnClient({ connectionString: databaseUrl, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  await client.connect();
  try {
    await lockOthersOut(client);
    const before = await finishedMigrations(client);
    refuseOtherBeginning(before, migrations);
    await retry(() => applyMissing(client, migrations), {
      firstPauseMs: RETRY_AFTER_MS,
      withinMs: retryWithinMs,
      isWorthRetrying: isLockTimeout,
    });
    return { applied: migrations.map(({ name }) => name).filter((name) => !before.has(name)) };
  } catch (error) {
    throw isLockTimeout(error) ? new Error(`${TABLE_IN_USE}\n${(error as Error).message}`) : error;
  } finally {
    // The lock belongs to the session and goes with it.
    await client.end();
  }
}

async function applyMissing(client: Client, migrations: readonly Migration[]): Promise<void> {
  await openHistory(client);
  await dropBrokenIndexes(client, migrations);
  const checksums = await finishedMigrations(client);
  const changed = changedSince(checksums, migrations);
  if (changed.length > 0) {
    throw new Error(`Changed after it was applied to this database: ${changed.join(', ')}.`);
  }
  for (const migration of migrations) if (!checksums.has(migration.name)) await apply(client, migration);
}

/** Applies one migration. A script goes to the server whole, as one simple query, so it is one transaction with the note that it is done. */
async function apply(client: Client, { name, sql }: Migration): Promise<void> {
  const id = randomUUID();
  await client.query('INSERT INTO _prisma_migrations (id, checksum, migration_name) VALUES ($1, $2, $3)', [
    id,
    checksumOf(sql),
    name,
  ]);
  const markFinished = `UPDATE _prisma_migrations SET finished_at = now(), applied_steps_count = 1 WHERE id = '${id}'`;
  try {
    if (indexBuiltBy(sql) === undefined) {
      await client.query(`SET lock_timeout = ${LOCK_TIMEOUT_MS}`);
      await client.query(`${sql}\n;${markFinished}`);
    } else {
      // PostgreSQL builds an index concurrently in no transaction: that statement goes alone.
      await client.query(`SET lock_timeout = ${BUILD_LOCK_TIMEOUT_MS}`);
      await client.query(sql);
      await client.query(markFinished);
    }
  } catch (error) {
    const cause = error as DatabaseError;
    // A lost connection loses the note, too; the migration's own error is what is thrown.
    await Promise.allSettled([
      client.query('UPDATE _prisma_migrations SET logs = $2 WHERE id = $1', [id, cause.message]),
    ]);
    throw Object.assign(new Error(`${cause.message}\nThe migration ${name} failed.`), { code: cause.code });
  }
}

/** The first migration makes all tables of 0.1.0, so it would fail on tables that other migrations made. */
function refuseOtherBeginning(before: ReadonlyMap<string, string>, [first]: readonly Migration[]): void {
  if (first !== undefined && before.size > 0 && !before.has(first.name)) throw new Error(MADE_BEFORE);
}

const MADE_BEFORE =
  'a build from before 0.1.0 made the tables of this database, and its migrations lead no further: start anew with an empty database, which for `npm start` means removing its folder (MEDIAGATE_HOME, else .mediagate)';
const NEEDS_A_SESSION =
  'migrations hold a lock for as long as they run, which a pooler in transaction mode loses: name PostgreSQL itself, without pgbouncer=';
export const CONNECT_TIMEOUT_MS = 10_000;
const TABLE_IN_USE =
  'a table was in use for longer than a migration waits for it, so that nobody else waits for long: that migration changed nothing; end what has long transactions (pg_stat_activity) or choose a quieter moment, and run it again';
/** Statements of the services end after ten seconds; what lasts longer than this is a backup, or a session that somebody forgot. */
const RETRY_WITHIN_MS = 120_000;
/** The pause is this to twice this long: who queued behind the lock for a second goes on meanwhile. */
const RETRY_AFTER_MS = 5000;
/** A concurrent build waits for each transaction that is older than itself, and reads and writes go on meanwhile. */
const BUILD_LOCK_TIMEOUT_MS = 600_000;
/** How long to wait for another process that is migrating, which may be building an index. */
const OTHERS_TIMEOUT_MS = BUILD_LOCK_TIMEOUT_MS;
const ASK_EVERY_MS = 200;
/** Prisma's own: its tools wait for this process, and this one for them. */
const LOCK_KEY = 72_707_369;

/** Every read and write of a table queues behind a migration that waits for its exclusive lock, so it gives up soon. */
const LOCK_TIMEOUT_MS = 1000;

const OTHER_SESSION =
  'another session is migrating this database, or builds an index for a process that has died, and does not end (pg_stat_activity)';

/** Prisma's own table, by which its tools know the history. */
const HISTORY = `
  CREATE TABLE _prisma_migrations (
    id varchar(36) PRIMARY KEY NOT NULL,
    checksum varchar(64) NOT NULL,
    finished_at timestamptz,
    migration_name varchar(255) NOT NULL,
    logs text,
    rolled_back_at timestamptz,
    started_at timestamptz NOT NULL DEFAULT now(),
    applied_steps_count integer NOT NULL DEFAULT 0
  )`;

/** Asks again and again: a statement that waited would be a transaction, and concurrent builds wait for every older one. */
async function lockOthersOut(client: Client): Promise<void> {
  const giveUpAt = performance.now() + OTHERS_TIMEOUT_MS;
  for (;;) {
    const { rows } = await client.query<{ locked: boolean }>('SELECT pg_try_advisory_lock($1) AS locked', [LOCK_KEY]);
    if (rows[0]?.locked === true) return;
    if (performance.now() > giveUpAt) throw new Error(OTHER_SESSION);
    await delay(ASK_EVERY_MS);
  }
}

/** IF NOT EXISTS would take an index that a broken build left, and that answers nothing, for a good one. */
async function dropBrokenIndexes(client: Client, migrations: readonly Migration[]): Promise<void> {
  const names = migrations.flatMap(({ sql }) => indexBuiltBy(sql) ?? []);
  const { rows } = await client.query<{ name: string }>(
    `SELECT i.indexrelid::regclass::text AS name FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
     WHERE NOT i.indisvalid AND c.relnamespace = current_schema()::regnamespace AND c.relname = ANY($1)`,
    [names],
  );
  // Waits for transactions that are older than the removal.
  await client.query(`SET lock_timeout = ${BUILD_LOCK_TIMEOUT_MS}`);
  for (const { name } of rows) await client.query(`DROP INDEX CONCURRENTLY ${name}`);
}

function isLockTimeout(error: unknown): boolean {
  return error instanceof Error && LOCK_CODES.has(String((error as DatabaseError).code));
}

/** `lock_not_available` and `deadlock_detected`. */
const LOCK_CODES: ReadonlySet<string> = new Set(['55P03', '40P01']);

/** Returns the checksums of the migrations that were applied, by their names. */
export async function finishedMigrations(client: Client): Promise<Map<string, string>> {
  if (!(await hasHistory(client))) return new Map();
  const { rows } = await client.query<{ name: string; checksum: string }>(
    'SELECT migration_name AS name, checksum FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL',
  );
  return new Map(rows.map(({ name, checksum }) => [name, checksum]));
}

async function hasHistory(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ exists: boolean }>(
    `SELECT to_regclass('_prisma_migrations') IS NOT NULL AS exists`,
  );
  return rows[0]?.exists === true;
}

/** Makes the history in an empty schema. In one that there was, a migration that began and did not end counts no more. */
async function openHistory(client: Client): Promise<void> {
  if (await hasHistory(client)) {
    await client.query(
      'UPDATE _prisma_migrations SET rolled_back_at = now() WHERE finished_at IS NULL AND rolled_back_at IS NULL',
    );
    return;
  }
  const { rows } = await client.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c
     WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p')
       AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e') LIMIT 1`,
  );
  if (rows[0]) throw new Error(`${OF_OTHERS}: ${rows[0].name}`);
  await client.query(HISTORY);
}

const OF_OTHERS = 'the database has tables, and no migration made them: name an empty one';

function checksumOf(sql: string): string {
  return createHash('sha256').update(sql).digest('hex');
}

/** Names of the migrations that have other checksums by now than when they were applied. */
export function changedSince(checksums: ReadonlyMap<string, string>, migrations: readonly Migration[]): string[] {
  const changed = migrations.filter(({ name, sql }) => (checksums.get(name) ?? checksumOf(sql)) !== checksumOf(sql));
  return changed.map(({ name }) => name);
}

const BUILDS_INDEX =
  /^(?:\s|--.*\n)*CREATE\s+(?:UNIQUE\s+)?INDEX\s+CONCURRENTLY\s+IF\s+NOT\s+EXISTS\s+"(\w+)"[^;]*;?\s*$/i;

/** The index that a script builds beside reads and writes; undefined for scripts that do anything else. */
function indexBuiltBy(script: string): string | undefined {
  return BUILDS_INDEX.exec(script)?.[1];
}

/** Reads the migrations of a directory in Prisma's own layout, the oldest first: `<name>/migration.sql` beside `migration_lock.toml`. */
export async function readMigrations(directory: string, only?: ReadonlySet<string>): Promise<Migration[]> {
  const entries = await readdir(directory, { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  const names = folders.filter((name) => only?.has(name) ?? true).sort();
  return Promise.all(
    names.map(async (name) => ({ name, sql: await readFile(join(directory, name, 'migration.sql'), 'utf8') })),
  );
}
