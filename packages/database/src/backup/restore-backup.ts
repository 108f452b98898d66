import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Client, escapeIdentifier } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { finishedMigrations, MIGRATIONS_DIRECTORY, migrate, readMigrations } from '../migrate';
import { createOwnClient } from '../own-client';
import { EPOCHS_PASSED } from '../statements/tasks/fence-epochs';
import { BackupReader } from './backup-file';
import { type Doubts, settleDoubts } from './doubts';
import { type BackupManifest, type Books, READ_BOOKS } from './manifest';
import { copyText, count } from './write-backup';

export interface RestoreOptions {
  databaseUrl: string;
  path: string;
  /** Replace what the database holds. */
  overwrite: boolean;
  /** Send the callbacks that were not delivered at the backup, although they may have been since. */
  sendCallbacks: boolean;
}

export interface Restored {
  manifest: BackupManifest;
  doubts: Doubts;
  /** Migrations newer than the backup, applied after it. */
  applied: string[];
}

/** Why a backup is not restored; nothing was changed. */
export class RestoreRefusal extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'RestoreRefusal';
  }
}

/**
 * Puts a backup into the tables of its release, decides about what was under way when it was taken, and migrates to this
 * release. All rows in one transaction: they and the sums of the books are as the backup says, or nothing has changed.
 *
 * @throws RestoreRefusal, BackupFileError
 */
export async function restoreBackup(options: RestoreOptions): Promise<Restored> {
  const reader = new BackupReader(options.path);
  const client = createOwnClient({ connectionString: options.databaseUrl, application_name: 'mediagate-restore' });
  try {
    const manifest = await reader.manifest();
    await client.connect();
    await refuseRunningServices(client);
    await bringToLevel(client, manifest, options);
    await client.query('BEGIN');
    await client.query('SET statement_timeout = 0');
    await client.query('SET LOCAL idle_in_transaction_session_timeout = 0');
    await load(client, manifest, reader);
    await compare(client, manifest);
    const doubts = await settleDoubts(client, manifest, options);
    await advanceSequences(client, manifest);
    await client.query('COMMIT');
    const { applied } = await migrate(options.databaseUrl);
    // Some rows are claimed again although they had ended. The fences of open rows were raised with the rows.
    await client.query(`SELECT FROM raise_fences('restored', ${EPOCHS_PASSED})`);
    // New rows have no statistics: what is asked before PostgreSQL gathers them by itself would be planned for a guess.
    await client.query('ANALYZE');
    return { manifest, doubts, applied };
  } finally {
    await client.end();
    await reader.close();
  }
}

/** Services would work on half of the old rows and half of the new ones. */
async function refuseRunningServices(client: Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(`
    SELECT DISTINCT application_name AS name FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name LIKE 'mediagate-%' ORDER BY 1`);
  if (rows.length === 0) return;
  const names = rows.map(({ name }) => name).join(', ');
  throw new RestoreRefusal(`stop what still works on this database: ${names}`);
}

async function bringToLevel(
  client: Client,
  { migrations, version }: BackupManifest,
  { databaseUrl, overwrite }: RestoreOptions,
): Promise<void> {
  const known = await readMigrations(MIGRATIONS_DIRECTORY);
  const unknown = migrations.find((name) => known.every((migration) => migration.name !== name));
  if (unknown !== undefined) {
    throw new RestoreRefusal(
      `the backup is of ${version}, with a migration (${unknown}) that this release lacks: use that one`,
    );
  }
  const present = await finishedMigrations(client);
  if (!overwrite && present.size > 0 && (await isInUse(client))) {
    throw new RestoreRefusal('the database is not empty: --overwrite replaces all that it holds');
  }
  const newer = [...present.keys()].find((name) => !migrations.includes(name));
  if (newer !== undefined) {
    throw new RestoreRefusal(
      `the database has tables of a later release than the backup (${newer}): restore into an empty database`,
    );
  }
  await migrate(databaseUrl, MIGRATIONS_DIRECTORY, { only: new Set(migrations) });
}

/** Accounts, or anything that an operator did. Migrations leave rows, too. */
async function isInUse(client: Client): Promise<boolean> {
  const { rows: there } = await client.query<{ table: string | null }>(
    `SELECT to_regclass('audit_log')::text AS table`,
  );
  if (there[0]?.table == null) return false;
  const { rows } = await client.query<{ used: boolean }>(`
    SELECT EXISTS (SELECT FROM accounts)
      OR EXISTS (SELECT FROM audit_log WHERE action NOT IN ('database.migrate', 'database.restore')) AS used`);
  return rows[0]?.used === true;
}

/** Triggers judge changes as they happen; what they once let in they need not let in again. Foreign keys are checked all the same. */
async function load(client: Client, manifest: BackupManifest, reader: BackupReader): Promise<void> {
  const tables = manifest.tables.map(({ name }) => escapeIdentifier(name));
  if (tables.length > 0) await client.query(`TRUNCATE ${tables.join(', ')}`);
  for (const [index, table] of tables.entries()) {
    await client.query(`ALTER TABLE ${table} DISABLE TRIGGER USER`);
    await pipeline(Readable.from(reader.rows()), client.query(copyFrom(copyText(manifest, index, 'FROM STDIN'))));
    await client.query(`ALTER TABLE ${table} ENABLE TRIGGER USER`);
  }
  await reader.end();
}

/** No number is given twice, not even one that was given after the backup. Last, because no rollback takes it back. */
async function advanceSequences(client: Client, { sequences }: BackupManifest): Promise<void> {
  for (const { name, next } of sequences) {
    const sequence = escapeIdentifier(name);
    const highest = `SELECT greatest($2::bigint, last_value + CASE WHEN is_called THEN 1 ELSE 0 END) FROM ${sequence}`;
    await client.query(`SELECT setval($1::regclass, (${highest}), false)`, [sequence, next]);
  }
}

async function compare(client: Client, { tables, books }: BackupManifest): Promise<void> {
  for (const { name, rows } of tables) {
    const found = await count(client, name);
    if (found !== rows) throw new RestoreRefusal(`the backup has ${found} rows of ${name}, and says ${rows}`);
  }
  const { rows } = await client.query<Books>(READ_BOOKS);
  const differing = Object.entries(books).filter(([name, sum]) => rows[0]?.[name as keyof Books] !== sum);
  if (differing.length > 0) {
    throw new RestoreRefusal(`the sums of the books are not those of the backup: ${differing.join(', ')}`);
  }
}
