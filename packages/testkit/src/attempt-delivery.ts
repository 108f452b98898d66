import type { AttemptResult, ClaimedDelivery, Database } from '@mediagate/database';

const LEASE_MS = 5000;

/** Claims a due delivery, as its sender does where it has to wait. */
export async function claimDelivery(database: Database, deliveryId: string): Promise<ClaimedDelivery> {
  const claim = await database.claimDelivery(deliveryId, LEASE_MS);
  if (!claim) throw new Error('the delivery must be due');
  return claim;
}

/** Writes one whole attempt at a due delivery, as its sender does: claimed, counted, ended. */
export async function attemptDelivery(
  database: Database,
  deliveryId: string,
  end: Pick<AttemptResult, 'state'> & Partial<AttemptResult>,
): Promise<void> {
  const { id, fence, attemptsMade } = await claimDelivery(database, deliveryId);
  const start = { id, fence, attemptsMade, isClaimed: true, body: '{}', leaseMs: LEASE_MS, retryIfLostMs: LEASE_MS };
  const attempt = await database.startDeliveryAttempt(start);
  if (!attempt) throw new Error('the claim must hold');
  const { number } = attempt;
  const unknown = { httpStatus: null, error: null, excerpt: null, reason: null, retryAfterMs: null };
  await database.recordDeliveryAttempt({ id, fence, number, ...unknown, ...end });
}
