import type { Statement } from '../../statement';
import { movementsOf } from './ledger-movements';

/** How far the books are sealed: sums of all entries up to one stand written, and are never made again. */
export interface Seal {
  /** Id of the last entry that is in the sums; 0: none is. */
  sealedTo: bigint;
  /** Every entry up to this id may be sealed: whoever wrote one has ended. At least `sealedTo`. */
  sealableTo: bigint;
  /** Id of the newest entry. */
  newest: bigint;
}

/**
 * Ids are drawn before their transaction ends, so that a lower one may appear after a higher one. `next_entry_id` was the highest that
 * could be seen when `next_xid` was the next transaction: once all before that have ended, nothing can appear up to it. Whoever books an
 * entry has changed its account's row before, and so is a transaction when it draws the id. A `next_xid` ahead of this server's is of
 * the server that a backup was taken of: nobody of then is at work.
 */
export const readSeal: Statement<[], Seal> = {
  text: `
select s.entry_id as "sealedTo", (select coalesce(max(id), 0) from ledger_entries) as newest,
  case when s.next_xid not between pg_snapshot_xmin(pg_current_snapshot())::text::bigint + 1 and pg_snapshot_xmax(pg_current_snapshot())::text::bigint
    then s.next_entry_id else s.entry_id end as "sealableTo"
from ledger_seal s`,
  values: () => [],
};

/**
 * Adds the entries after `from`, up to `to`, to the sums. No row: somebody else has sealed from there. Once all that could be sealed is,
 * it notes up to where the next time may go.
 */
export const sealEntries: Statement<[part: { from: bigint; to: bigint }], { sealedTo: bigint }> = {
  text: `
with moved as (
  update ledger_seal set entry_id = $2, sealed_at = now(),
    next_entry_id = case when next_entry_id > $2 then next_entry_id else greatest($2, (select coalesce(max(id), 0) from ledger_entries)) end,
    next_xid = case when next_entry_id > $2 then next_xid else pg_snapshot_xmax(pg_current_snapshot())::text::bigint end
  where entry_id = $1 returning entry_id
),
movements as materialized (${movementsOf('ledger_entries')}
  where e.id > $1 and e.id <= $2 and exists (select from moved)
),
accounts_sealed as (
  insert into sealed_accounts as s (account_id, topped_up_nano, held_nano, settled_nano)
  select account_id, sum(topped_up), sum(held), sum(settled) from movements group by account_id
  on conflict (account_id) do update set topped_up_nano = s.topped_up_nano + excluded.topped_up_nano,
    held_nano = s.held_nano + excluded.held_nano, settled_nano = s.settled_nano + excluded.settled_nano
),
keys_sealed as (
  insert into sealed_keys as s (key_id, held_nano, settled_nano)
  select key_id, sum(held), sum(settled) from movements where key_id is not null group by key_id
  on conflict (key_id) do update set held_nano = s.held_nano + excluded.held_nano, settled_nano = s.settled_nano + excluded.settled_nano
)
select entry_id as "sealedTo" from moved`,
  values: ({ from, to }) => [from, to],
};
