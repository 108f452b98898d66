import { bookable, type Nano } from '@mediagate/contracts';
import type { Statement } from '../../statement';

export interface BalanceRow {
  used: Nano;
  unlimited: boolean;
  remain: Nano;
  held: Nano;
}

/** A key's own quota and that of the key that made it, which it shares; null: there is none. */
const KEY_REMAIN = 'least(k.quota_nano - k.held_nano - k.settled_nano, shared_quota_left(o))';
const KEY_OF_ACCOUNT = `
from api_keys k join accounts a on a.id = k.account_id join api_keys o on o.id = coalesce(k.maker_id, k.id)`;

/** Reads a key's balance. The account's money does not count for a caller who sees only a part of the account. */
export const readKeyBalance: Statement<[keyId: string, seesAccount: boolean], BalanceRow> = {
  text: `
select k.settled_nano as used, k.held_nano as held, ${KEY_REMAIN} is null as unlimited,
  -- Below zero where the quota of the key that made it was lowered.
  greatest(0, least(${KEY_REMAIN}, case when $2 then a.topped_up_nano - a.held_nano - a.settled_nano end)) as remain
${KEY_OF_ACCOUNT} where k.id = $1`,
  values: (keyId, seesAccount) => [keyId, seesAccount],
};

export const readAccountBalance: Statement<[accountId: string], BalanceRow> = {
  text: `
select settled_nano as used, held_nano as held, false as unlimited,
  topped_up_nano - held_nano - settled_nano as remain
from accounts where id = $1`,
  values: (accountId) => [accountId],
};

export interface ShortageRow {
  of: 'account' | 'key';
  availableNano: Nano;
  heldNano: Nano;
}

/** Finds whether the account or the key has too little money for the amount. No row: both have enough, or there is no such key. */
export const findShortage: Statement<[keyId: string, amountNano: Nano], ShortageRow> = {
  text: `
select s.of, s.available as "availableNano", s.held as "heldNano"
${KEY_OF_ACCOUNT}
cross join lateral (values
  (1, 'account', a.topped_up_nano - a.held_nano - a.settled_nano, a.held_nano),
  (2, 'key', ${KEY_REMAIN}, k.held_nano)
) as s(rank, of, available, held)
where k.id = $1 and s.available < $2 order by s.rank limit 1`,
  values: (keyId, amountNano) => [keyId, bookable(amountNano)],
};
