import type { Database } from '@mediagate/database';

export type Redelivery = { kind: 'scheduled'; fence: number } | { kind: 'still_pending' } | { kind: 'not_found' };

/**
 * Starts a new series of attempts when an operator asks for it: the same id and the same bytes, the full schedule again, due
 * at once. A pending delivery is left alone. The request goes to the audit log in the same statement.
 *
 * The caller enqueues the delivery with `attemptsMade: 0` and the fence as `distinct`; else the reconciler does.
 */
export async function redeliver(
  database: Database,
  deliveryId: string,
  options: { actor: string },
): Promise<Redelivery> {
  const [row] = await database.redeliver(deliveryId, options.actor);
  if (!row) return { kind: 'not_found' };
  return row.fence === null ? { kind: 'still_pending' } : { kind: 'scheduled', fence: row.fence };
}
