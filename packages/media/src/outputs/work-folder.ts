import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** A folder for the work on one file. */
export interface WorkFolder {
  path: string;
  /** Removes it with all that is in it; again is nothing. */
  remove(): Promise<void>;
}

/** No work lasts this long; what is older was left by a crash. */
const STALE_AFTER_MS = 60 * 60 * 1000;
const ROOT = path.join(tmpdir(), 'mediagate-work');

/** Makes folders below the system's own for temporary files; the first call sweeps out what a crash left there. */
export function createWorkFolders(): () => Promise<WorkFolder> {
  let swept: Promise<void> | undefined;

  return async () => {
    swept ??= sweep();
    await swept;
    const folder = await mkdtemp(path.join(ROOT, 'file-'));
    return { path: folder, remove: () => rm(folder, { recursive: true, force: true }) };
  };
}

async function sweep(): Promise<void> {
  await mkdir(ROOT, { recursive: true });
  for (const name of await readdir(ROOT)) {
    const folder = path.join(ROOT, name);
    const facts = await stat(folder).catch((error: unknown) => {
      // Another process swept it, or was done with it.
      if (isMissing(error)) return undefined;
      throw error;
    });
    if (facts !== undefined && Date.now() - facts.mtimeMs > STALE_AFTER_MS)
      await rm(folder, { recursive: true, force: true });
  }
}

function isMissing(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 'ENOENT';
}
