import type { Outcome, Run } from '../run-state';
import type { WorkerDeps } from '../worker-deps';

/** The state of a task after a step, as it was written to the database. */
export type Concluded =
  | { kind: 'completed' }
  | { kind: 'failed' }
  /** Another step follows. */
  | { kind: 'goes_on' }
  /** Another process has claimed the task or has ended it. */
  | { kind: 'lost' };

/** Nothing was written: the fence is another's. */
export const LOST: Concluded = { kind: 'lost' };

export type OutcomeOf<Kind extends Outcome['kind']> = Extract<Outcome, { kind: Kind }>;

/** The row says what comes next, so a job that cannot be enqueued is only late: the reconciler enqueues it. */
export async function enqueueQuietly(enqueued: Promise<void>, run: Run, deps: WorkerDeps): Promise<void> {
  try {
    await enqueued;
  } catch (error) {
    deps.logger.warn('task.enqueue_failed', { taskId: run.task.id, error });
  }
}
