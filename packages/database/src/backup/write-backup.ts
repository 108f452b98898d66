import { type Client, escapeIdentifier } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { createOwnClient } from '../own-client';
import { writeBackupFile } from './backup-file';
import { type BackupManifest, type Books, READ_BOOKS } from './manifest';

export interface BackupOptions {
  databaseUrl: string;
  path: string;
  /** The version of mediagate. */
  version: string;
}

/**
 * Writes all tables as they were at one moment, while everything runs; nobody waits for it but a migration. Needs no program of
 * PostgreSQL's, so it works in the image and with a server of any version.
 *
 * @throws Error where the file is there already, or the database cannot be read.
 */
export async function writeBackup({ databaseUrl, path, version }: BackupOptions): Promise<BackupManifest> {
  const client = createOwnClient({ connectionString: databaseUrl, application_name: 'mediagate-backup' });
  await client.connect();
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    await client.query('SET LOCAL statement_timeout = 0');
    await client.query('SET LOCAL idle_in_transaction_session_timeout = 0');
    const manifest = await describe(client, version);
    await writeBackupFile(path, manifest, (index) => client.query(copyTo(copyText(manifest, index, 'TO STDOUT'))));
    return manifest;
  } finally {
    await client.end();
  }
}

/** `COPY` of a table with the columns that it had at the backup. */
export function copyText({ tables }: BackupManifest, index: number, direction: 'TO STDOUT' | 'FROM STDIN'): string {
  const { name = '', columns = [] } = tables[index] ?? {};
  return `COPY ${escapeIdentifier(name)} (${columns.map(escapeIdentifier).join(', ')}) ${direction}`;
}

async function describe(client: Client, version: string): Promise<BackupManifest> {
  const { rows: found } = await client.query<FoundTable>(READ_TABLES);
  const names = inOrder(found);
  const locked = names.map(escapeIdentifier).join(', ');
  // A migration waits until all is copied, or goes first.
  await client.query(`LOCK TABLE ${locked} IN ACCESS SHARE MODE`);
  const columnsOf = new Map(found.map(({ name, columns }) => [name, columns]));
  const tables = [];
  for (const name of names) tables.push({ name, columns: columnsOf.get(name) ?? [], rows: await count(client, name) });
  const { rows: sequences } = await client.query<{ name: string; next: string }>(READ_SEQUENCES);
  const { rows: migrations } = await client.query<{ name: string }>(READ_MIGRATIONS);
  const { rows: books } = await client.query<Books>(READ_BOOKS);
  const { rows: clock } = await client.query<{ takenAt: Date }>('SELECT now() AS "takenAt"');
  return {
    format: 1,
    version,
    takenAt: clock[0]?.takenAt.toISOString() ?? '',
    migrations: migrations.map(({ name }) => name),
    tables,
    sequences,
    books: books[0] as Books,
  };
}

export async function count(client: Client, table: string): Promise<number> {
  const { rows } = await client.query<{ rows: number }>(`SELECT count(*)::int AS rows FROM ${escapeIdentifier(table)}`);
  return rows[0]?.rows ?? 0;
}

interface FoundTable {
  name: string;
  columns: string[];
  /** Tables that its rows refer to, itself excepted. */
  after: string[];
}

/** Sorts tables so that each comes after those that its rows refer to. */
function inOrder(tables: readonly FoundTable[]): string[] {
  const ordered = new Set<string>();
  const place = ({ name, after }: FoundTable, path: readonly string[]): void => {
    if (path.includes(name)) throw new Error(`tables refer to each other in a circle: ${[...path, name].join(', ')}`);
    for (const other of tables) if (after.includes(other.name)) place(other, [...path, name]);
    ordered.add(name);
  };
  for (const table of tables) place(table, []);
  return [...ordered];
}

const OWN_SCHEMA = 'current_schema()::regnamespace';
const READ_TABLES = `
SELECT c.relname AS name,
  (SELECT array_agg(a.attname::text ORDER BY a.attnum) FROM pg_attribute a
   WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '') AS columns,
  (SELECT coalesce(array_agg(DISTINCT r.relname::text), '{}') FROM pg_constraint f JOIN pg_class r ON r.oid = f.confrelid
   WHERE f.contype = 'f' AND f.conrelid = c.oid AND f.confrelid <> c.oid) AS after
FROM pg_class c
WHERE c.relkind IN ('r', 'p') AND c.relnamespace = ${OWN_SCHEMA} AND c.relname <> '_prisma_migrations' AND NOT c.relispartition
ORDER BY c.relname`;
const READ_SEQUENCES = `
SELECT sequencename AS name, (coalesce(last_value, 0) + 1)::text AS next FROM pg_sequences
WHERE schemaname = current_schema() ORDER BY sequencename`;
const READ_MIGRATIONS = `
SELECT migration_name AS name FROM _prisma_migrations
WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL ORDER BY migration_name`;
