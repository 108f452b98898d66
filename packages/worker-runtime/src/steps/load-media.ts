import type { MediaProblem } from '@mediagate/catalog';
import type { Fault } from '@mediagate/contracts';
import { MediaError } from '@mediagate/media';
import { mayFailAgain } from '../failed-steps';
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
  const leave = deps.places.files.take(run.task.accountId);
  // Of a call that may have been made already the outcome must be found out, whatever waits.
  if (!leave && !run.inDoubt) return { ...run, outcome: { kind: 'no_channel', reason: 'at_capacity' } };
  try {
    const { media, release } = await deps.loadMedia(references, run.signal);
    run.onEnd(release);
    const problem = run.entry.checkMedia(run.task.input, media);
    return problem ? unusable(run, problem) : { ...run, media };
  } catch (error) {
    if (!(error instanceof MediaError) || run.signal.aborted) throw error;
    return error.transient && !run.inDoubt && mayFailAgain(run.task) ? notNow(run, error) : unusable(run, error);
  } finally {
    leave?.();
  }
}

/** Its server may be back in a moment. */
function notNow(run: Run, { field }: MediaError): Run {
  const fault: Fault = { code: 'not_accepted', detail: `the file ${field} could not be fetched for now` };
  return { ...run, outcome: { kind: 'turned_away', fault, requestIds: [] } };
}

function unusable(run: Run, { field, message }: MediaProblem): Run {
  const failed = { kind: 'failed', reason: 'media_unavailable', message, param: field } as const;
  return { ...run, outcome: run.inDoubt ? { ...failed, fault: SENT_BEFORE } : failed };
}

export function isAccepted(run: Run): boolean {
  return run.task.attempt?.state === 'accepted';
}
