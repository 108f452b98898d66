import type { Family, TaskId, TaskStatus } from '@mediagate/contracts';
import type { Database } from '@mediagate/database';

export type RetryOutcome =
  /** Due now; `leaseMs` is how long a worker may still hold it, 0 when nobody does. */
  | { kind: 'scheduled'; family: Family; fence: number; leaseMs: number }
  | { kind: 'ended'; status: TaskStatus }
  /** The process that took it in is at work on it, while its caller waits: no worker could go on with it. */
  | { kind: 'runs_at_once' }
  /** Its deadline has passed: it is about to be failed and refunded. */
  | { kind: 'overdue' }
  | { kind: 'not_found' };

/**
 * Makes an unfinished task due at once, when an operator asks for it, with none of its failed steps counted and its job as not
 * yet sent. A worker's lease stays: whoever is at work finishes the step. The wish goes to the audit log in the same
 * statement.
 *
 * The caller enqueues the task after `leaseMs`; else the reconciler does.
 *
 * @param options.actor who wished it, as the audit log is to show it
 */
export async function retryTask(database: Database, id: TaskId, options: { actor: string }): Promise<RetryOutcome> {
  const [row] = await database.retryTask(id, options.actor);
  if (!row) return { kind: 'not_found' };
  if (row.fence !== null) return { kind: 'scheduled', family: row.family, fence: row.fence, leaseMs: row.leaseMs };
  if (row.status === 'completed' || row.status === 'failed') return { kind: 'ended', status: row.status };
  return { kind: row.runsAtOnce ? 'runs_at_once' : 'overdue' };
}
