import type { ChangeOutcome, ChangeRequest } from '@mediagate/database';
import { type Callbacks, enqueueDelivery } from './callbacks';

/** How often an account may have one callback sent again on one day of UTC: each time is an entry of the audit log. */
export const REDELIVERIES_A_DAY = 20;

export interface WantedRedelivery {
  id: string;
  /** Its account asks, and may do so `REDELIVERIES_A_DAY` times a day. Default: an operator asks. */
  isOwn?: boolean;
}

/**
 * Starts a new series of attempts: the same id and the same bytes, the full schedule again, due at once. A pending delivery is left
 * alone. The caller does not wait for the queue.
 */
export async function redeliver(
  callbacks: Pick<Callbacks, 'database' | 'queue' | 'logger'>,
  { id, isOwn = false }: WantedRedelivery,
  request: ChangeRequest,
): Promise<ChangeOutcome> {
  const { database } = callbacks;
  const dailyLimit = isOwn ? REDELIVERIES_A_DAY : null;
  const outcome = await database.redeliver(id, dailyLimit, request);
  if (outcome.kind === 'changed' && !outcome.replayed) {
    // The fence is that of the new series: a job of the series before may still be running.
    const distinct = String(outcome.row.after['fence']);
    void enqueueDelivery(callbacks, { deliveryId: id, attemptsMade: 0, distinct });
  }
  return outcome;
}

/** Whether its account may not have it sent again today. */
export async function isRedeliveredOften({ database }: Pick<Callbacks, 'database'>, id: string): Promise<boolean> {
  const [row] = await database.countRedeliveries(id);
  return row !== undefined && row.count >= REDELIVERIES_A_DAY;
}
