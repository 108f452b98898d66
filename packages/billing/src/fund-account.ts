import type { Nano } from '@mediagate/contracts';
import type { ChangeOutcome, ChangeRequest, Database } from '@mediagate/database';

/** The actor where no person asks: in demonstrations, and in tests. */
const SYSTEM: ChangeRequest = { actor: 'system' };

export interface Funding {
  accountId: string;
  amountNano: Nano;
  /** The operator's own reference, for example of a payment; booked once at most. */
  reference?: string;
  /** Kept in the ledger. */
  note?: string;
}

/** `duplicate`: the reference was booked before. `unchanged`: there is no such account, or it is closed. */
export async function topUp(
  database: Database,
  funding: Funding,
  request: ChangeRequest = SYSTEM,
): Promise<ChangeOutcome> {
  if (funding.amountNano <= 0n) throw new Error('a top-up is of an amount above zero');
  const note = funding.note ?? request.reason;
  return fund(database, 'top_up', { funding: note === undefined ? funding : { ...funding, note }, request });
}

/**
 * A correction in either direction, with its reason in the ledger. `unchanged`: there is no such account, or its balance would
 * fall below zero.
 */
export function adjust(
  database: Database,
  funding: Funding & { note: string },
  request: ChangeRequest = SYSTEM,
): Promise<ChangeOutcome> {
  return fund(database, 'adjust', { funding, request });
}

function fund(
  database: Database,
  kind: 'top_up' | 'adjust',
  { funding, request }: { funding: Funding; request: ChangeRequest },
): Promise<ChangeOutcome> {
  const { accountId, amountNano, reference = null, note = null } = funding;
  return database.fundAccount({ accountId, amountNano, kind, reference, note }, request);
}
