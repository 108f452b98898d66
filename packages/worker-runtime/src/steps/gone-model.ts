import { readReserved } from '@mediagate/billing';
import { type CatalogueEntry, goneModel } from '@mediagate/catalog';
import type { Fault, StepEnd } from '@mediagate/contracts';
import type { ClaimedTask } from '@mediagate/tasks';
import { enqueueReturned } from '../claim-step';
import { ageMs, jitteredMs, returnedPauseMs } from '../pauses';
import { isAccepted, type Run } from '../run-state';
import type { WorkerDeps } from '../worker-deps';

/** A model that only a newer release has is met no longer than this by workers of the older one. */
const REPLACED_WITHIN_MS = 10 * 60_000;
/** Share of its whole time that an accepted job is left: it is paid for, and must not come to its deadline unasked. */
const ACCEPTED_SHARE = 0.25;

/**
 * The entry of the task's model. One that the configuration describes no more, or that a release has dropped, has a stand-in. Undefined: a
 * process of a newer release may have the model.
 */
export async function entryOf(
  task: ClaimedTask,
  { catalogue, database }: Pick<WorkerDeps, 'catalogue' | 'database'>,
): Promise<CatalogueEntry | undefined> {
  const entry = catalogue.find(task.model, task.operation);
  if (entry !== undefined || mayBeNewer(task)) return entry;
  return goneModel({ ...task, reservedNano: await readReserved(database, task.id) });
}

function mayBeNewer(task: ClaimedTask): boolean {
  const { attempt, deadlineAt, createdAt } = task;
  const wholeMs = deadlineAt.getTime() - createdAt.getTime();
  const isAccepted = attempt?.state === 'accepted';
  return ageMs(task) < Math.min(REPLACED_WITHIN_MS, isAccepted ? wholeMs * ACCEPTED_SHARE : Number.POSITIVE_INFINITY);
}

/**
 * Leaves a task of a model that this release does not have to the workers of one that does: while a release replaces another both
 * take from one queue. The task loses nothing by it.
 */
export async function leaveUnknown(task: ClaimedTask, deps: WorkerDeps): Promise<StepEnd> {
  const { id: taskId, family, model } = task;
  const delayMs = jitteredMs(returnedPauseMs(task));
  if (!(await deps.database.returnTaskClaim(task, delayMs))) return { outcome: 'lost', failure: 'lost' };
  deps.logger.warn('task.left', {
    taskId,
    family,
    model,
    detail: 'neither this release nor its configuration file has the model: a process of another may have it',
  });
  await enqueueReturned(task, delayMs, deps);
  return { outcome: 'left' };
}

const GONE: Fault = { code: 'not_accepted', detail: 'the model is not in the catalogue or the configuration any more' };
/** The job may have been accepted, and cannot be sent again. */
const IN_DOUBT: Fault = { ...GONE, code: 'outcome_unknown' };

/** Nobody can say any more how a model that is gone is asked for: what no upstream has accepted fails, with a refund. */
export async function endGoneModel(run: Run): Promise<Run> {
  if (!run.entry.isGone || isAccepted(run)) return run;
  if (run.inDoubt) return { ...run, outcome: { kind: 'failed', reason: 'outcome_unknown', fault: IN_DOUBT } };
  return { ...run, outcome: { kind: 'failed', reason: 'no_upstream', fault: GONE } };
}
