import type { Nano } from '@mediagate/contracts';
import type { BalanceRow, Database, Visibility } from '@mediagate/database';
import type { Shortage } from './submission';

export interface Balance {
  /** The amount that can still be spent; undefined for an unlimited key. Amounts held count as spent. */
  remainNano: Nano | undefined;
  /** Settled money only: a refund never touches it. */
  usedNano: Nano;
  /** The reservations of tasks that have not ended. */
  heldNano: Nano;
}

/**
 * The amount that the key can still spend: the quota left or its account's balance, whichever is smaller. A key of the scope `own` does
 * not learn the balance, and gets its quota left. Undefined: no such key.
 */
export async function readKeyBalance(
  database: Database,
  { id, ownKeyId }: { id: string } & Pick<Visibility, 'ownKeyId'>,
): Promise<Balance | undefined> {
  return toBalance(await database.readKeyBalance(id, ownKeyId === null));
}

export async function readAccountBalance(database: Database, accountId: string): Promise<Balance | undefined> {
  return toBalance(await database.readAccountBalance(accountId));
}

/**
 * Says whether the account or the key has too little for an amount; undefined: both have enough, or there is no such key. It
 * reserves nothing: the submission decides later, and a caller who cannot pay is refused before work is done for them.
 */
export async function findShortage(database: Database, keyId: string, amountNano: Nano): Promise<Shortage | undefined> {
  const [shortage] = await database.findShortage(keyId, amountNano);
  return shortage;
}

function toBalance([row]: BalanceRow[]): Balance | undefined {
  return row && { usedNano: row.used, heldNano: row.held, remainNano: row.unlimited ? undefined : row.remain };
}
