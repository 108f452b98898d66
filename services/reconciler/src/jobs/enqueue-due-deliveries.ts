import { findDueDeliveries } from '@mediagate/callbacks';
import type { Database } from '@mediagate/database';
import type { Queues } from '@mediagate/queue';
import type { Job } from '../job';

const GRACE_MS = 2000;
const BATCH = 500;

/** Enqueues callbacks that are due and that no process sends: never enqueued, lost with Redis, or left by a dead sender. */
export function enqueueDueDeliveries(database: Database, queues: Queues): Job {
  let afterAccountId = '';
  return {
    name: 'enqueue-due-deliveries',
    everyMs: 1000,
    async run() {
      const wanted = { afterAccountId, overdueMs: GRACE_MS, limit: BATCH };
      const { deliveries: due, goesOnAfter } = await findDueDeliveries(database, wanted);
      await queues.enqueueDeliveries(
        due.map(({ deliveryId, attemptsMade, fence }) => ({ deliveryId, attemptsMade, distinct: `r${fence}` })),
      );
      afterAccountId = goesOnAfter;
      // A full batch may hold the same callbacks again while the sender is busy, so the next batch waits its interval.
      return { done: due.length, more: false };
    },
  };
}
