import { endByOperator } from '@mediagate/billing';
import { enqueueCallback } from '@mediagate/callbacks';
import type { TaskId } from '@mediagate/contracts';
import type { ChangeOutcome, ChangeRequest } from '@mediagate/database';
import type { Tasks } from './tasks';

/**
 * Ends a task because an operator says so, whoever works on it: with a full refund, but for what its process kept as used. The attempt is
 * quarantined, and what its upstream still makes is recorded with it. `unchanged`: it has ended, or there is none.
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
