import type { Failure, Fault, MediaReference } from '@mediagate/contracts';
import { MediaError } from '@mediagate/media';
import { mayFailAgain } from '../failed-steps';
import { isAccepted, type Outcome, type Run } from '../run-state';
import type { WorkerDeps } from '../worker-deps';

const SENT_BEFORE: Fault = {
  code: 'outcome_unknown',
  detail: 'it could not be sent again, because an input file is gone',
};

export const FILES_BUSY: Outcome = { kind: 'no_channel', reason: 'files_busy' };

/** Loads the caller's files before any upstream is paid; a file that cannot be used ends the task with a refund. */
export async function loadMedia(run: Run, deps: WorkerDeps): Promise<Run> {
  if (isAccepted(run)) return run;
  const { id, input } = run.task;
  const references = run.entry.media(input);
  if (references.length === 0) return { ...run, media: [] };
  const inspected = deps.inspectedFiles.of(id);
  const { task: owner } = run;
  const slot = deps.slots.files.tryTake({ owner, keys: hostsOf(references, deps, inspected) });
  // An attempt in doubt must be resolved, even without a slot.
  if (!slot && !run.inDoubt) return { ...run, outcome: FILES_BUSY };
  try {
    const { media, release } = await deps.loadMedia(references, run.signal, {
      owner,
      ...(inspected ? { inspected } : {}),
    });
    run.onEnd(release);
    deps.inspectedFiles.remember(id, references, media);
    const problem = run.entry.checkMedia(input, media);
    return problem ? unusable(run, problem) : { ...run, media };
  } catch (error) {
    return notLoaded(run, error);
  } finally {
    slot?.release();
  }
}

/** The end of a step whose files could not be had. @throws the error, where that is not the caller's doing. */
export function notLoaded(run: Run, error: unknown): Run {
  if (!(error instanceof MediaError) || run.signal.aborted) throw error;
  return error.transient && !run.inDoubt && mayFailAgain(run.task)
    ? notNow(run, error)
    : unusable(run, { param: error.field, message: error.problem });
}

/** Hosts that files are still to be fetched from. */
export function hostsOf(
  references: readonly MediaReference[],
  { store }: WorkerDeps,
  inspected?: ReadonlyMap<string, unknown>,
): string[] {
  const remote = references.filter(({ url, field }) => !inspected?.has(field) && !store.ownsUrl(url));
  return remote.flatMap(({ url }) => URL.parse(url)?.host || []);
}

/** Its server may be back in a moment. */
function notNow(run: Run, { field }: MediaError): Run {
  const fault: Fault = { code: 'not_accepted', detail: `the file ${field} could not be fetched for now` };
  return { ...run, outcome: { kind: 'turned_away', fault, requestIds: [] } };
}

function unusable(run: Run, { param, message }: Pick<Required<Failure>, 'param' | 'message'>): Run {
  const failed = { kind: 'failed', reason: 'bad_media', message, param } as const;
  return { ...run, outcome: run.inDoubt ? { ...failed, fault: SENT_BEFORE } : failed };
}
