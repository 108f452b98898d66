import { readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';

/** No work on a file lasts this long; what is older was left by a crash. */
const STALE_AFTER_MS = 60 * 60 * 1000;

/** Removes from `folder` what a crash left there. Throws AggregateError, after the rest, for what could not be removed. */
export async function removeStale(folder: string): Promise<void> {
  const names = await readdir(folder);
  const swept = await Promise.allSettled(names.map((name) => removeIfStale(path.join(folder, name))));
  const failures = swept.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} old files could not be removed`);
}

async function removeIfStale(file: string): Promise<void> {
  const facts = await stat(file).catch((error: unknown) => {
    // Another process finished it, or swept it.
    if (isMissing(error)) return undefined;
    throw error;
  });
  if (facts === undefined || Date.now() - facts.mtimeMs <= STALE_AFTER_MS) return;
  await rm(file, { recursive: true, force: true });
}

export function isMissing(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 'ENOENT';
}
