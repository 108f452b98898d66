import type { Nano } from '@mediagate/contracts';
import { change, noteOf, withNote } from '../identity/note';
import { accountSnapshot } from './accounts';

export interface FundingEntry {
  accountId: string;
  amountNano: Nano;
  kind: 'top_up' | 'adjust';
  reference: string | null;
  note: string | null;
}

/**
 * The balance moves only together with its ledger entry. No row: no such account, its balance would fall below zero, or it is
 * closed and takes no payment.
 */
export const fundAccount = change<[entry: FundingEntry]>({
  byPrisma: true,
  text: withNote(`
found as materialized (
  select a.id, ${accountSnapshot('a')} as before from accounts a where a.id = $2 for update
),
account as (
  update accounts a set topped_up_nano = a.topped_up_nano + $3
  from found f
  where a.id = f.id and a.topped_up_nano + $3 - a.held_nano - a.settled_nano >= 0
    and (a.state <> 'closed' or $4::text <> 'top_up')
  returning a.id, f.before, ${accountSnapshot('a')} as after, a.topped_up_nano - a.held_nano - a.settled_nano as balance
),
entry as (
  insert into ledger_entries (account_id, kind, amount_nano, reference, note, balance_after_nano)
  select id, $4, $3, $5, $6, balance from account
),
changed as (
  select id as subject, before, after || jsonb_build_object('entry', jsonb_strip_nulls(jsonb_build_object(
    'kind', $4::text, 'amount', $3::bigint::text, 'reference', $5::text, 'note', $6::text))) as after
  from account
)`),
  values: ({ accountId, amountNano, kind, reference, note }, request) => [
    noteOf(`account.${kind}`, request),
    accountId,
    amountNano,
    kind,
    reference,
    note,
  ],
});
