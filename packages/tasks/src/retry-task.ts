import { isTerminal, type TaskId, type TaskStatus } from '@mediagate/contracts';
import { type ChangeOutcome, type ChangeRequest, changeOnce, type Database } from '@mediagate/database';

/**
 * Makes an unfinished task due at once, when an operator asks for it, with none of its failed steps counted and its job as not
 * yet sent. A worker's lease stays: whoever is at work finishes the step. What has ended stays ended.
 *
 * The caller enqueues the task after the `lease_ms` of `after`; else the reconciler does.
 */
export function retryTask(database: Database, id: TaskId, request: ChangeRequest): Promise<ChangeOutcome> {
  return changeOnce(database, request, () => database.retryTask(id, request));
}

export type NotRetried =
  | { kind: 'ended'; status: TaskStatus }
  /** The process that took it in is at work on it, while its caller waits: no worker could go on with it. */
  | { kind: 'runs_at_once' }
  /** Its deadline has passed: it is about to be failed and refunded. */
  | { kind: 'overdue' }
  | { kind: 'not_found' };

/** Why a task was not retried. */
export async function explainRetry(database: Database, id: TaskId): Promise<NotRetried> {
  const task = await database.task.findUnique({ where: { id }, select: { status: true, runBySubmitter: true } });
  if (!task) return { kind: 'not_found' };
  const status = task.status as TaskStatus;
  if (isTerminal(status)) return { kind: 'ended', status };
  return { kind: task.runBySubmitter ? 'runs_at_once' : 'overdue' };
}
