import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { removeStale } from '../stale-files';

/** A folder for the work on one file. */
export interface WorkFolder {
  path: string;
  /** Removes it with all that is in it; again is nothing. */
  remove(): Promise<void>;
}

export interface WorkFolderOptions {
  root: string;
  sweepEveryMs?: number;
}

const SWEEP_EVERY_MS = 60 * 60 * 1000;

/** Makes folders; now and then sweeps out first what crashes left beside them. */
export function createWorkFolders(options: WorkFolderOptions): () => Promise<WorkFolder> {
  const { root, sweepEveryMs = SWEEP_EVERY_MS } = options;
  let nextSweepMs = 0;

  return async () => {
    await mkdir(root, { recursive: true });
    if (performance.now() >= nextSweepMs) {
      nextSweepMs = performance.now() + sweepEveryMs;
      // What stays takes room, and is tried again at the next sweep: no reason to fail a result.
      await removeStale(root).catch(() => {});
    }
    const folder = await mkdtemp(path.join(root, 'file-'));
    return { path: folder, remove: () => rm(folder, { recursive: true, force: true }) };
  };
}
