import type { Nano } from '@mediagate/contracts';
import type { Statement } from '../../statement';

export interface FundingEntry {
  accountId: string;
  amountNano: Nano;
  kind: 'top_up' | 'adjust';
  reference: string | null;
  note: string | null;
}

/** The balance moves only together with its ledger entry. No row: no such account, or its balance would fall below zero. */
export const fundAccount: Statement<[entry: FundingEntry], { balance: Nano }> = {
  text: `
with account as (
  update accounts a set topped_up_nano = a.topped_up_nano + $2
  where a.id = $1 and a.topped_up_nano + $2 - a.held_nano - a.settled_nano >= 0
  returning a.id, a.topped_up_nano - a.held_nano - a.settled_nano as balance
),
entry as (
  insert into ledger_entries (account_id, kind, amount_nano, reference, note, balance_after_nano)
  select id, $3, $2, $4, $5, balance from account
)
select balance from account`,
  values: ({ accountId, amountNano, kind, reference, note }) => [accountId, amountNano, kind, reference, note],
};
