import { globSync } from 'node:fs';
import { join } from 'node:path';

/** Loads a module when it is called. */
export type LoadModule = () => unknown;

const NO_MODULE = /\.(?:d|test)\.ts$/;

/**
 * Modules below a folder that match a pattern, by their paths in it, in the order of these: the folder is the list. Where both
 * arguments are written out (`modulesIn(__dirname, 'texts/*.ts')`), `scripts/build.mjs` puts the modules of that moment in place of the call.
 */
export function modulesIn(folder: string, pattern: string): ReadonlyMap<string, LoadModule> {
  const files = globSync(pattern, { cwd: folder }).filter((file) => !NO_MODULE.test(file));
  return new Map(files.sort().map((file) => [file, () => require(join(folder, file))]));
}
