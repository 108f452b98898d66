import type { DueDeliveryRow } from '@mediagate/database';
import type { QueuedDelivery } from '@mediagate/queue';
import type { Callbacks } from './callbacks';

/** How long a delivery must have been due, in milliseconds: the job that its end of task or retry enqueued goes first. */
const GRACE_MS = 2000;
const BATCH = 500;

export interface RevivedDeliveries {
  count: number;
  /** The account after which the next call goes on; empty: it begins with the first account. */
  goesOnAfter: string;
}

/**
 * Enqueues deliveries that are due and not leased: never enqueued, lost with Redis, or left by a sender that died. Accounts take
 * turns, so that the thousands of one never hide the few of another.
 */
export async function reviveDeliveries(
  { database, queue }: Pick<Callbacks, 'database' | 'queue'>,
  afterAccountId: string,
): Promise<RevivedDeliveries> {
  const rows = await database.findDueDeliveries({ afterAccountId, overdueMs: GRACE_MS, limit: BATCH });
  const due = rows.flatMap(toQueued);
  await queue.enqueueDeliveries(due);
  return { count: due.length, goesOnAfter: rows[0]?.goesOnAfter ?? '' };
}

/** The fence makes the job's id distinct from one of the same attempt that may still be running. */
function toQueued({ deliveryId, attemptsMade, fence }: DueDeliveryRow): QueuedDelivery[] {
  if (deliveryId === null || attemptsMade === null) return [];
  return [{ deliveryId, attemptsMade, distinct: `r${fence}` }];
}
