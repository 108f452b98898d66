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
  const [row] = await database.query<{ fence: number | null }>(REDELIVER, [deliveryId, options.actor]);
  if (!row) return { kind: 'not_found' };
  return row.fence === null ? { kind: 'still_pending' } : { kind: 'scheduled', fence: row.fence };
}

const REDELIVER = {
  name: 'webhooks.redeliver',
  text: `
with scheduled as (
  update webhook_deliveries
  set state = 'pending', reason = null, attempts_made = 0, fence = fence + 1, lease_until = null,
    next_attempt_at = now(), ended_at = null
  where id = $1 and state <> 'pending'
  returning id, fence
),
noted as (
  insert into audit_log (actor, action, subject) select $2, 'webhook.redeliver', id from scheduled
)
select (select fence from scheduled) as fence from webhook_deliveries where id = $1`,
};
