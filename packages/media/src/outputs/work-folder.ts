import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { removeStale } from '../stale-files';

/** A folder for the work on one file. */
export interface WorkFolder {
  path: string;
  /** Removes it with all that is in it; a second call does nothing. */
  remove(): Promise<void>;
}

export interface WorkFolderOptions {
  root: string;
  sweepEveryMs?: number;
}

const SWEEP_EVERY_MS = 60 * 60 * 1000;

/** Makes folders; now and then it first removes those that crashes left behind. */
export function createWorkFolders(options: WorkFolderOptions): () => Promise<WorkFolder> {
  const { root, sweepEveryMs = SWEEP_EVERY_MS } = options;
  let nextSweepMs = 0;

  return async () => {
    await mkdir(root, { recursive: true });
    if (performance.now() >= nextSweepMs) {
      nextSweepMs = performance.now() + sweepEveryMs;
      // Folders that stay only take space, and the next sweep tries them again: no reason to fail a result.
      await removeStale(root).catch(() => {});
    }
    const folder = await mkdtemp(path.join(root, 'file-'));
    return { path: folder, remove: () => rm(folder, { recursive: true, force: true }) };
  };
}
