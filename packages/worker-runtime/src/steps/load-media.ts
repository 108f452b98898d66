import { MediaError } from '@mediagate/media';
import type { Run } from '../run-state';
import type { WorkerDeps } from '../worker-deps';

/** Brings the caller's files in before any upstream is paid; what cannot be used ends the task with a refund. */
export async function loadMedia(run: Run, deps: WorkerDeps): Promise<Run> {
  if (isAccepted(run)) return run;
  const references = run.entry.media(run.task.input);
  if (references.length === 0) return { ...run, media: [] };
  try {
    return { ...run, media: await deps.loadMedia(references, run.signal) };
  } catch (error) {
    if (!(error instanceof MediaError) || run.signal.aborted) throw error;
    const { message, field } = error;
    return { ...run, outcome: { kind: 'failed', reason: 'media_unavailable', message, param: field } };
  }
}

export function isAccepted(run: Run): boolean {
  return run.task.attempt?.state === 'accepted';
}
