import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const CACHE = resolve(__dirname, '../../../node_modules/.cache/mediagate');

/**
 * The path of a file or folder in the cache, made where it is not there yet. Test files run at once: each makes one in a folder of its
 * own, and the first that is whole gets the name.
 *
 * @param name its name in the cache; it holds the version or a digest of all that goes into it.
 * @param make makes it at the path that it is given, in an empty folder; what it throws is thrown.
 */
export function makeOnce(name: string, make: (path: string) => void): string {
  const path = join(CACHE, name);
  if (existsSync(path)) return path;
  mkdirSync(dirname(path), { recursive: true });
  const unfinished = mkdtempSync(`${path}.`);
  try {
    const made = join(unfinished, 'made');
    make(made);
    giveName(made, path);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
  return path;
}

/** A folder takes no name that another has. */
function giveName(made: string, path: string): void {
  try {
    renameSync(made, path);
  } catch (error) {
    if (!existsSync(path)) throw error;
  }
}
