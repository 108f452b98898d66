import { type Database, openDatabase } from '../database';
import { withShadowDatabase } from '../diff/shadow-database';
import { restoreBackup } from './restore-backup';

/** The audit of long books reads each entry. */
const STATEMENT_TIMEOUT_MS = 3_600_000;

/**
 * Restores a backup into a database of its own beside `databaseUrl`, looks at it, and drops it. The user of `databaseUrl` must be allowed to
 * create databases.
 *
 * @throws RestoreRefusal, BackupFileError
 */
export function tryBackup<Result>(
  { databaseUrl, path }: { databaseUrl: string; path: string },
  look: (restored: Database) => Promise<Result>,
): Promise<Result> {
  return withShadowDatabase(databaseUrl, async (url) => {
    await restoreBackup({ databaseUrl: url, path, overwrite: false, sendCallbacks: false });
    const applicationName = 'mediagate-restore';
    const database = openDatabase({ url, poolSize: 1, statementTimeoutMs: STATEMENT_TIMEOUT_MS, applicationName });
    try {
      return await look(database);
    } finally {
      await database.close();
    }
  });
}
