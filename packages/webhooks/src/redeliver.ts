import type { Database } from '@mediagate/database';

export type Redelivery = { kind: 'scheduled' } | { kind: 'still_pending' } | { kind: 'not_found' };

/**
 * Starts a new series of attempts at an operator's wish: the same id and the same bytes, the full schedule again, due at
 * once. A delivery that is still being tried is left alone. The wish goes to the audit log in the same statement.
 */
export async function redeliver(
  database: Database,
  deliveryId: string,
  options: { actor: string },
): Promise<Redelivery> {
  const [row] = await database.query<{ scheduled: boolean }>(REDELIVER, [deliveryId, options.actor]);
  if (!row) return { kind: 'not_found' };
  return { kind: row.scheduled ? 'scheduled' : 'still_pending' };
}

const REDELIVER = {
  name: 'webhooks.redeliver',
  text: `
with scheduled as (
  update webhook_deliveries
  set state = 'pending', reason = null, attempts_made = 0, fence = fence + 1, lease_until = null,
    next_attempt_at = now(), ended_at = null
  where id = $1 and state <> 'pending'
  returning id
),
noted as (
  insert into audit_log (actor, action, subject) select $2, 'webhook.redeliver', id from scheduled
)
select exists (select 1 from scheduled) as scheduled from webhook_deliveries where id = $1`,
};
