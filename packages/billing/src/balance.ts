import type { Nano } from '@mediagate/contracts';
import type { Database } from '@mediagate/database';

export interface Balance {
  /** What could still be spent; undefined for an unlimited key. What is held counts as gone. */
  remainNano: Nano | undefined;
  /** Settled money only: a refund never touches it. */
  usedNano: Nano;
}

const KEY_BALANCE = {
  name: 'billing.key_balance',
  text: `
select k.settled_nano as used, k.quota_nano is null as unlimited,
  least(k.quota_nano - k.held_nano - k.settled_nano, a.topped_up_nano - a.held_nano - a.settled_nano) as remain
from api_keys k join accounts a on a.id = k.account_id where k.id = $1`,
};

const ACCOUNT_BALANCE = {
  name: 'billing.account_balance',
  text: `
select settled_nano as used, false as unlimited, topped_up_nano - held_nano - settled_nano as remain
from accounts where id = $1`,
};

interface BalanceRow {
  used: Nano;
  unlimited: boolean;
  remain: Nano;
}

/** What the key could still spend: the smaller of its quota left and its account's balance. Undefined: no such key. */
export function readKeyBalance(database: Database, keyId: string): Promise<Balance | undefined> {
  return read(database, KEY_BALANCE, keyId);
}

export function readAccountBalance(database: Database, accountId: string): Promise<Balance | undefined> {
  return read(database, ACCOUNT_BALANCE, accountId);
}

const SHORTAGE = {
  name: 'billing.shortage',
  text: `
select case
  when a.topped_up_nano - a.held_nano - a.settled_nano < $2 then 'account'
  when k.quota_nano - k.held_nano - k.settled_nano < $2 then 'key'
end as "shortOf"
from api_keys k join accounts a on a.id = k.account_id where k.id = $1`,
};

/**
 * Whose money would not do for an amount; undefined: it would, or there is no such key. A look, not a promise: spares work
 * that a refusal would waste. The submission itself decides.
 */
export async function findShortage(
  database: Database,
  keyId: string,
  amountNano: Nano,
): Promise<'account' | 'key' | undefined> {
  const [row] = await database.query<{ shortOf: 'account' | 'key' | null }>(SHORTAGE, [keyId, amountNano]);
  return row?.shortOf ?? undefined;
}

async function read(database: Database, statement: typeof KEY_BALANCE, id: string): Promise<Balance | undefined> {
  const [row] = await database.query<BalanceRow>(statement, [id]);
  return row && { usedNano: row.used, remainNano: row.unlimited ? undefined : row.remain };
}
