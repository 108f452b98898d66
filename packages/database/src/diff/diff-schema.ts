import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { MigrationList } from '@prisma/schema-engine-wasm/schema_engine_bg';
import { MIGRATIONS_DIRECTORY, readMigrations } from '../migrate';
import { createMigrationAdapter } from './migration-adapter';
import { NO_FILTERS, withSchemaEngine } from './schema-engine';

const SCHEMA_FILE = join(__dirname, '../../../../prisma/schema.prisma');

/**
 * The SQL that leads from what the migrations make to what the schema file says; empty when they agree. Replays the
 * migrations in a database of its own beside `databaseUrl`, so that user must be allowed to create one.
 */
export async function diffSchema(
  databaseUrl: string,
  { migrationsDirectory = MIGRATIONS_DIRECTORY, schemaFile = SCHEMA_FILE } = {},
): Promise<string> {
  const migrations = await listMigrations(migrationsDirectory);
  const content = await readFile(schemaFile, 'utf8');
  const result = await withSchemaEngine(createMigrationAdapter(databaseUrl), (engine) =>
    engine.diff({
      from: { tag: 'migrations', ...migrations },
      to: { tag: 'schemaDatamodel', files: [{ path: schemaFile, content }] },
      script: true,
      exitCode: true,
      filters: NO_FILTERS,
    }),
  );
  return result.exitCode === 0 ? '' : (result.stdout ?? '');
}

/** The migrations of a directory as the engine takes them. */
export async function listMigrations(directory: string): Promise<MigrationList> {
  const migrations = await readMigrations(directory);
  return {
    baseDir: directory,
    lockfile: { path: 'migration_lock.toml', content: await readFile(join(directory, 'migration_lock.toml'), 'utf8') },
    shadowDbInitScript: '',
    migrationDirectories: migrations.map(({ name, sql: value }) => ({
      path: name,
      migrationFile: { path: 'migration.sql', content: { tag: 'ok', value } },
    })),
  };
}
