import type { TaskId } from '@mediagate/contracts';
import { type ChangeOutcome, type ChangeRequest, changeOnce, type Database, noteOf } from '@mediagate/database';
import { type FinisherOptions, taskError } from './finish';
import { newDeliveryId, toFinish } from './finish-request';
import { toFinishedTask, traceEnd } from './finished-task';

/**
 * Ends a task because an operator says so, by the statement that ends every task: with a full refund, but for what its process kept as used
 * (`keepEnd`). `after` of the outcome names the delivery to enqueue.
 */
export async function endByOperator(
  database: Database,
  { taskId, onEnded }: FinisherOptions & { taskId: TaskId },
  request: ChangeRequest,
): Promise<ChangeOutcome> {
  const end = { kind: 'failed', error: taskError('cancelled') } as const;
  const named = { taskId, fence: 'any', outcome: end, deliveryId: newDeliveryId() } as const;
  const item = { ...toFinish(named), note: noteOf('task.fail', request) };
  return changeOnce(database, request, async () => {
    const beganAt = performance.now();
    const rows = await database.finishTasks([item]);
    if (rows[0]) onEnded?.(toFinishedTask(rows[0], end.error.reason));
    traceEnd({ row: rows[0], together: 1 }, { asked: end.error.reason, beganAt });
    return rows.map(({ delivery_id }) => ({ subject: taskId, before: null, after: { delivery_id } }));
  });
}
