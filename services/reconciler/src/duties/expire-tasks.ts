import { type createFinisher, taskError } from '@mediagate/billing';
import type { Database } from '@mediagate/database';
import type { Queues } from '@mediagate/queue';
import { findOverdueTasks } from '@mediagate/tasks';
import type { Duty } from '../duty';

const BITE = 100;

/**
 * Fails and refunds what has run past its deadline, whoever holds it. A worker that comes back later finds a terminal
 * task: its result is kept on the attempt, never billed, never delivered.
 */
export function expireTasks(database: Database, finish: ReturnType<typeof createFinisher>, queues: Queues): Duty {
  return {
    name: 'expire-tasks',
    everyMs: 1000,
    async run() {
      const overdue = await findOverdueTasks(database, BITE);
      const error = taskError('timeout');
      const finished = await Promise.all(
        overdue.map(({ id: taskId }) => finish({ taskId, fence: 'any', outcome: { kind: 'failed', error } })),
      );
      const wakes = finished.flatMap(({ deliveryId }) =>
        deliveryId === undefined ? [] : [{ deliveryId, attemptsMade: 0 }],
      );
      if (wakes.length > 0) await queues.wakeDeliveries(wakes);
      return { done: finished.filter(({ won }) => won).length, more: overdue.length === BITE };
    },
  };
}
