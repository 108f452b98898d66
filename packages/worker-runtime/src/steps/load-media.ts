import type { MediaProblem } from '@mediagate/catalog';
import type { Fault } from '@mediagate/contracts';
import { MediaError } from '@mediagate/media';
import type { Run } from '../run-state';
import type { WorkerDeps } from '../worker-deps';

const SENT_BEFORE: Fault = {
  code: 'outcome_unknown',
  detail: 'it could not be sent again, because an input file is gone',
};

/** Brings the caller's files in before any upstream is paid; what cannot be used ends the task with a refund. */
export async function loadMedia(run: Run, deps: WorkerDeps): Promise<Run> {
  if (isAccepted(run)) return run;
  const references = run.entry.media(run.task.input);
  if (references.length === 0) return { ...run, media: [] };
  try {
    const media = await deps.loadMedia(references, run.signal);
    const problem = run.entry.checkMedia(run.task.input, media);
    return problem ? unusable(run, problem) : { ...run, media };
  } catch (error) {
    if (!(error instanceof MediaError) || run.signal.aborted) throw error;
    return unusable(run, error);
  }
}

function unusable(run: Run, { field, message }: MediaProblem): Run {
  const failed = { kind: 'failed', reason: 'media_unavailable', message, param: field } as const;
  return { ...run, outcome: run.inDoubt ? { ...failed, fault: SENT_BEFORE } : failed };
}

export function isAccepted(run: Run): boolean {
  return run.task.attempt?.state === 'accepted';
}
