import { CONNECT_TIMEOUT_MS, changedSince, finishedMigrations, MIGRATIONS_DIRECTORY, readMigrations } from './migrate';
import { createOwnClient } from './own-client';

/** A database's migrations beside those of this release, by their names. */
export interface MigrationDifferences {
  /** This release has them, and they are not applied. */
  missing: string[];
  /** They are applied, and this release does not have them: a later one made them. */
  unknown: string[];
  /** They had other content when they were applied. */
  changed: string[];
}

/** Compares the database with the migrations of this release. Changes nothing, and goes through a pooler, too. */
export async function compareMigrations(
  databaseUrl: string,
  { withinMs = CONNECT_TIMEOUT_MS, migrationsDirectory = MIGRATIONS_DIRECTORY } = {},
): Promise<MigrationDifferences> {
  const client = createOwnClient({
    connectionString: databaseUrl,
    connectionTimeoutMillis: withinMs,
    query_timeout: withinMs,
  });
  await client.connect();
  try {
    const [ours, applied] = [await readMigrations(migrationsDirectory), await finishedMigrations(client)];
    const names = new Set(ours.map(({ name }) => name));
    return {
      missing: [...names].filter((name) => !applied.has(name)),
      unknown: [...applied.keys()].filter((name) => !names.has(name)).sort(),
      changed: changedSince(applied, ours),
    };
  } finally {
    await client.end();
  }
}
