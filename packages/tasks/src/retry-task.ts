import { type Family, isTerminal, type TaskId, type TaskStatus } from '@mediagate/contracts';
import type { ChangeOutcome, ChangeRequest, Database } from '@mediagate/database';
import { enqueueTask, type Tasks } from './tasks';

/**
 * Makes an unfinished task due at once, when an operator asks for it, with none of its failed steps counted, and enqueues it. A worker's
 * lease stays: whoever is at work finishes the step, and the job comes after it. What has ended stays ended.
 */
export async function retryTask(
  tasks: Pick<Tasks, 'database' | 'queue' | 'logger'>,
  taskId: TaskId,
  request: ChangeRequest,
): Promise<ChangeOutcome> {
  const { database } = tasks;
  const outcome = await database.retryTask(taskId, request);
  if (outcome.kind === 'changed') {
    const { family, fence, lease_ms: leaseMs } = outcome.row.after;
    // A job of the same step may still be running somewhere, so this one has an id of its own.
    const job = { taskId, family: family as Family, fence: Number(fence), delayMs: Number(leaseMs) };
    void enqueueTask(tasks, { ...job, distinct: `retry-${Date.now()}` });
  }
  return outcome;
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
