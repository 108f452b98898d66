import { readdirSync } from 'node:fs';
import path from 'node:path';

export const ROOT = path.join(__dirname, '../../../..');
/** Code that runs in a gateway. */
export const PRODUCT = /^(?:packages|services)\/(?!(?:client|testkit)\/)[^/]+\/src\/.*(?<!\.test)\.ts$/;
/** Made, brought or kept by programs. */
const NOT_WRITTEN = new Set(['node_modules', 'dist', 'generated', '.git', '.mediagate', 'coverage', 'mediagate.d.ts']);

/** The files of the repository by their paths from its root, in order. */
export function sourceFiles(directory = ''): string[] {
  const entries = readdirSync(path.join(ROOT, directory), { withFileTypes: true });
  const found = entries.flatMap((entry) => {
    const file = path.posix.join(directory, entry.name);
    if (NOT_WRITTEN.has(entry.name)) return [];
    return entry.isDirectory() ? sourceFiles(file) : [file];
  });
  return found.sort();
}
