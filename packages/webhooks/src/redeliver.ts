import { type ChangeOutcome, type ChangeRequest, changeOnce, type Database } from '@mediagate/database';

/**
 * Starts a new series of attempts: the same id and the same bytes, the full schedule again, due at once. A pending delivery is left
 * alone.
 *
 * The caller enqueues the delivery with `attemptsMade: 0` and the `fence` of `after` as `distinct`; else the reconciler does.
 */
export function redeliver(database: Database, id: string, request: ChangeRequest): Promise<ChangeOutcome> {
  return changeOnce(database, request, () => database.redeliver(id, request));
}

/** Why such a delivery was not sent again. */
const CANCELLED = 'cancelled_by_operator';

/** Ends a pending delivery without another request. */
export function cancelDelivery(database: Database, id: string, request: ChangeRequest): Promise<ChangeOutcome> {
  return changeOnce(database, request, () => database.cancelDelivery(id, CANCELLED, request));
}

/** What there is to say where neither was done: it is in another state, or there is none. */
export async function hasDelivery(database: Database, id: string): Promise<boolean> {
  return (await database.webhookDelivery.findUnique({ where: { id }, select: { id: true } })) !== null;
}
