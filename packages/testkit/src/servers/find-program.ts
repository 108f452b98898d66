import { accessSync, constants, statSync } from 'node:fs';

/** The first of these paths that is a file which may be run. */
export function findProgram(paths: readonly string[]): string | undefined {
  return paths.find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    // Not there, or not for us.
    return false;
  }
}
