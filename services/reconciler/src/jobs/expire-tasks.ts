import { type createFinisher, taskError } from '@mediagate/billing';
import type { Database } from '@mediagate/database';
import type { Queues } from '@mediagate/queue';
import type { Job } from '../job';

const BATCH = 100;

/**
 * Fails and refunds what has run past its deadline, whoever holds it. A worker that comes back later finds a terminal
 * task: its result is kept on the attempt, never billed, never delivered.
 */
export function expireTasks(database: Database, finish: ReturnType<typeof createFinisher>, queues: Queues): Job {
  return {
    name: 'expire-tasks',
    everyMs: 1000,
    async run() {
      const overdue = await database.findOverdueTasks(BATCH);
      const error = taskError('timeout');
      const finished = await Promise.all(
        overdue.map(({ id: taskId }) => finish({ taskId, fence: 'any', outcome: { kind: 'failed', error } })),
      );
      const deliveries = finished.flatMap(({ deliveryId }) =>
        deliveryId === undefined ? [] : [{ deliveryId, attemptsMade: 0 }],
      );
      if (deliveries.length > 0) await queues.enqueueDeliveries(deliveries);
      return { done: finished.filter(({ won }) => won).length, more: overdue.length === BATCH };
    },
  };
}
