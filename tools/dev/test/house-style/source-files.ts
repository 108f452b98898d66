import { readdirSync } from 'node:fs';
import path from 'node:path';

export const ROOT = path.join(__dirname, '../../../..');
/** Code that runs in a gateway. */
export const PRODUCT = /^(?:packages|services)\/(?!(?:client|testkit)\/)[^/]+\/src\/.*(?<!\.test)\.ts$/;
/** Made, brought or kept by programs. */
const NOT_WRITTEN = new Set(['node_modules', 'dist', 'generated', '.git', '.mediagate', 'coverage']);

/** The files of the repository by their paths from its root, in order. */
export function sourceFiles(directory = ''): string[] {
  const entries = readdirSync(path.join(ROOT, directory), { withFileTypes: true });
  const found = entries.flatMap((entry) => {
    const file = path.posix.join(directory, entry.name);
    if (entry.isDirectory()) return NOT_WRITTEN.has(entry.name) ? [] : sourceFiles(file);
    return [file];
  });
  return found.sort();
}
