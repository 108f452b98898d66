import { bookable, type Nano } from '@mediagate/contracts';
import type { Statement } from '../../statement';

export interface BalanceRow {
  used: Nano;
  unlimited: boolean;
  remain: Nano;
  held: Nano;
}

/** What processes have taken as credit counts as held. A key's own quota and that of the key that made it, which it shares; null: there is none. */
export const KEY_REMAIN = 'least(k.quota_nano - k.held_nano - k.settled_nano - k.credit_nano, shared_quota_left(o))';
/** The same once all that processes have taken of these keys has come back. */
export const KEY_REMAIN_AT_MOST = `least(k.quota_nano - k.held_nano - k.settled_nano, shared_quota_left(o) + o.credit_nano
  + (select coalesce(sum(made.credit_nano), 0)::bigint from api_keys made where made.maker_id = o.id))`;
const KEY_OF_ACCOUNT = `
from api_keys k join accounts a on a.id = k.account_id join api_keys o on o.id = coalesce(k.maker_id, k.id)`;

export const readKeyBalance: Statement<[keyId: string], BalanceRow> = {
  text: `
select k.settled_nano as used, k.held_nano + k.credit_nano as held, ${KEY_REMAIN} is null as unlimited,
  -- Below zero where the quota of the key that made it was lowered.
  greatest(0, least(${KEY_REMAIN}, a.topped_up_nano - a.held_nano - a.settled_nano - a.credit_nano)) as remain
${KEY_OF_ACCOUNT} where k.id = $1`,
  values: (keyId) => [keyId],
};

export const readAccountBalance: Statement<[accountId: string], BalanceRow> = {
  text: `
select settled_nano as used, held_nano + credit_nano as held, false as unlimited,
  topped_up_nano - held_nano - settled_nano - credit_nano as remain
from accounts where id = $1`,
  values: (accountId) => [accountId],
};

export interface ShortageRow {
  of: 'account' | 'key';
  availableNano: Nano;
  heldNano: Nano;
}

/**
 * Whose money would not do for the amount, even if all that is out as credit came back: a submission calls that in. No row: it would, or there is
 * no such key. What is shown is without credit, as where a submission is refused.
 */
export const findShortage: Statement<[keyId: string, amountNano: Nano], ShortageRow> = {
  text: `
select s.of, s.available as "availableNano", s.held as "heldNano"
${KEY_OF_ACCOUNT}
cross join lateral (values
  (1, 'account', a.topped_up_nano - a.held_nano - a.settled_nano, a.topped_up_nano - a.held_nano - a.settled_nano - a.credit_nano,
    a.held_nano + a.credit_nano),
  (2, 'key', ${KEY_REMAIN_AT_MOST}, ${KEY_REMAIN}, k.held_nano + k.credit_nano)
) as s(rank, of, most, available, held)
where k.id = $1 and s.most < $2 order by s.rank limit 1`,
  values: (keyId, amountNano) => [keyId, bookable(amountNano)],
};
