import { type RetryOptions, retry } from '@mediagate/concurrency';
import { isOutage } from '@mediagate/database';
import { inSpan } from '@mediagate/host';
import { type MediaToSave, StorageUnavailableError } from '@mediagate/media';
import type { MarkedOutput } from '../mark-result';
import { outliveOutage } from '../outlive-outage';
import type { StoredOutput } from '../profile';
import { isAccepted, type Run } from '../run-state';
import type { WorkerDeps } from '../worker-deps';

/** Over some 15 s. */
const SAVE_TRIES = 5;
/** Between two tries to store what only this step has; and before its deadline, so that the task can still say why it ends. */
const STORAGE_PAUSES = { firstPauseMs: 1000, maxPauseMs: 15_000 };
const LAST_MS = 5000;

type File = Pick<MarkedOutput, 'bytes' | 'contentType' | 'width' | 'height' | 'mark'>;
type Saved = Pick<StoredOutput, 'url' | 'contentType' | 'expiresAt' | 'sha256' | 'width' | 'height' | 'mark'>;
export type Save = (file: File) => Promise<Saved>;

/** Stores the files of a task's results, each under a link of our own. */
export function saverFor(run: Run, { store }: WorkerDeps): Save {
  const { task, entry, signal } = run;
  const { accountId, id: taskId, isTest, keyId } = task;
  // Nobody pays for results of test keys: they count against the quota of uploads.
  const counted = isTest ? { keyId } : {};
  const owner = { accountId, taskId, ...counted, purpose: 'result', lifetimeMs: entry.resultLifetimeMs } as const;
  return async (file) => {
    const { bytes, contentType, mark, ...image } = file;
    const media: MediaToSave = { ...owner, bytes, contentType, ...pixelsOf(image) };
    const patience = { tries: SAVE_TRIES, signal, isWorthRetrying: (error: unknown) => !isWaitedFor(error, run) };
    const { url, expiresAt, sha256 } = await inSpan(
      'media.store',
      { attributes: () => ({ 'mediagate.media_type': contentType }) },
      () => untilStored(() => patiently(() => store.save(media), patience), run),
    );
    return { url, contentType, expiresAt, sha256, ...pixelsOf(image), ...(mark && { mark }) };
  };
}

function pixelsOf({ width, height }: { width?: number; height?: number }): { width?: number; height?: number } {
  return width === undefined || height === undefined ? {} : { width, height };
}

/** The answer to a start is in this step alone: it waits for the storage until its deadline. An accepted job is asked again. */
export function untilStored<T>(work: () => Promise<T>, run: Run): Promise<T> {
  const isWorthRetrying = (error: unknown) => isWaitedFor(error, run);
  const withinMs = Math.max(0, run.msLeft() - LAST_MS);
  return retry(work, { ...STORAGE_PAUSES, withinMs, signal: run.signal, isWorthRetrying });
}

function isWaitedFor(error: unknown, run: Run): boolean {
  return error instanceof StorageUnavailableError && !isAccepted(run);
}

type Patience = Pick<RetryOptions, 'tries' | 'isWorthRetrying'> & { signal: AbortSignal };

/** The database is waited for as long as the step may run; any other error ends the work within its bounds. */
export function patiently<T>(work: () => Promise<T>, { signal, isWorthRetrying, ...bounds }: Patience): Promise<T> {
  const isOurs = (error: unknown) => !isOutage(error) && isWorthRetrying(error);
  const pauses = { firstPauseMs: 750, maxPauseMs: 30_000 };
  return outliveOutage(() => retry(work, { ...pauses, ...bounds, signal, isWorthRetrying: isOurs }), { signal });
}
