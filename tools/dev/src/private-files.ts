import { chmodSync, existsSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const FOR_OTHERS = 0o077;
/** Folders of a home that earlier versions left open; PostgreSQL closes its own. */
const ONCE_OPEN = ['media', 'redis'];

/**
 * Keeps files that this process and those it starts write from now on to their user alone, whatever the umask was; also those that
 * earlier versions wrote to the home.
 */
export function keepFilesPrivate(homePath: string): void {
  process.umask(FOR_OTHERS);
  for (const folder of ONCE_OPEN) {
    const path = join(homePath, folder);
    // A closed folder was closed with all that is in it.
    if (existsSync(path) && isOpen(path)) close(path);
  }
}

function isOpen(path: string): boolean {
  return (lstatSync(path).mode & FOR_OTHERS) !== 0;
}

/** The folder itself last: one that was cut short is still open and is done again. */
function close(path: string): void {
  const facts = lstatSync(path);
  if (facts.isSymbolicLink()) return;
  if (facts.isDirectory()) for (const name of readdirSync(path)) close(join(path, name));
  chmodSync(path, facts.mode & ~FOR_OTHERS);
}
