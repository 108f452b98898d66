import { endByOperator } from '@mediagate/billing';
import { enqueueCallback } from '@mediagate/callbacks';
import type { TaskId } from '@mediagate/contracts';
import type { ChangeOutcome, ChangeRequest } from '@mediagate/database';
import type { Tasks } from './tasks';

/**
 * Ends a task with a full refund because an operator says so, whoever works on it. What its upstream still makes is recorded with the
 * attempt, which is quarantined. `unchanged`: it has ended, or there is none.
 */
export async function failTask(
  tasks: Pick<Tasks, 'database' | 'queue' | 'logger' | 'onEnded'>,
  taskId: TaskId,
  request: ChangeRequest,
): Promise<ChangeOutcome> {
  const outcome = await endByOperator(tasks.database, { taskId, onEnded: tasks.onEnded }, request);
  const deliveryId = outcome.kind === 'changed' ? outcome.row.after['delivery_id'] : undefined;
  if (typeof deliveryId === 'string') void enqueueCallback(tasks, { deliveryId });
  return outcome;
}
