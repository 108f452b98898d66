import type { Database } from '@mediagate/database';
import type { Queues } from '@mediagate/queue';
import { findDueDeliveries } from '@mediagate/webhooks';
import type { Duty } from '../duty';

const GRACE_MS = 2000;
const BITE = 500;

/** Wakes callbacks that are due and that nobody sends: never enqueued, their job lost, or their sender dead. */
export function wakeDeliveries(database: Database, queues: Queues): Duty {
  return {
    name: 'wake-deliveries',
    everyMs: 1000,
    async run() {
      const due = await findDueDeliveries(database, { overdueMs: GRACE_MS, limit: BITE });
      await queues.wakeDeliveries(
        due.map(({ deliveryId, attemptsMade, fence }) => ({ deliveryId, attemptsMade, distinct: `r${fence}` })),
      );
      // A full bite may be the same callbacks waiting for a busy sender, so the next one waits its turn.
      return { done: due.length, more: false };
    },
  };
}
