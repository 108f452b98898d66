import type { Statement } from '../../statement';
import { CLOCKS_MS } from './usage-days';

/** Longer than any transaction, and than clocks are apart: nothing of a month that ended so long ago is booked any more. */
const ENDED_FOR = '1 day';

/** The last entry that is sealed in a closed month; 0: no month is closed. What is later has all of its rows. */
export const CLOSED_TO = '(select coalesce(max(c.up_to_entry_id), 0) from closed_months c where c.digest is not null)';

/** Sums of closed months, by key: what their entries changed. A settlement ends the whole hold of its task. */
export const CLOSED_SUMS = `
  select s.account_id, s.key_id, sum(s.topped_up_nano + s.adjusted_nano) as topped_up,
    sum(s.held_nano - s.released_nano - s.refunded_nano) as held, sum(s.settled_nano) as settled
  from month_seals s join closed_months c on c.month = s.month and c.digest is not null group by s.account_id, s.key_id`;

/**
 * The first day since when all bookings are there; null: none were ever removed. It is not the first day of a month: bookings just after
 * midnight belong to the month before where a transaction that began before midnight drew a later id.
 */
export const KEPT_SINCE = `(select max(c.month) + interval '1 month 1 day' from closed_months c where c.pruned_to > c.after_entry_id)`;

/** The sums of entries `e`, and of the reservations `r` of those that settle: the columns of `month_seals` behind its key. */
export const SEALED_SUMS = `
    count(*) as entries, coalesce(sum(e.amount_nano) filter (where e.kind = 'top_up'), 0) as topped_up_nano,
    coalesce(sum(e.amount_nano) filter (where e.kind = 'adjust'), 0) as adjusted_nano,
    coalesce(sum(e.amount_nano) filter (where e.kind = 'hold'), 0) as held_nano,
    coalesce(sum(e.amount_nano) filter (where e.kind = 'settle'), 0) as settled_nano,
    coalesce(sum(r.amount_nano) filter (where e.kind = 'settle'), 0) as released_nano,
    coalesce(sum(e.amount_nano) filter (where e.kind = 'refund'), 0) as refunded_nano`;

/** Why the next month is not closed. `tasks_open`: a task of it has not ended; `not_audited`: the audit by the clock has not come so far. */
export type MonthObstacle = 'too_early' | 'tasks_open' | 'not_audited' | 'faults_found';

export interface NextMonth {
  /** `2026-10` */
  month: string;
  /** Null: nothing is in the way, and it is being sealed. */
  obstacle: MonthObstacle | null;
}

/**
 * The CTEs of the month after the last closed one, at first that of the oldest entry, and of what is in its way: `judged`. It is empty while a
 * month is being sealed, and unless `isAsked` holds of a month `n`.
 *
 * The month goes up to the newest entry whose time is before the month's end. No entry of a lower id can appear any more once the audit has sealed up to there. The
 * entries from two hours after the month's end on are found by the first task of then, as ids of tasks are within an hour of their bookings.
 */
export const judgedMonth = (isAsked: string): string => `
last as materialized (select month, up_to_entry_id, digest from closed_months order by month desc limit 1),
next as materialized (
  select n.month, (n.month + interval '1 month') at time zone 'UTC' as end_at, coalesce((select up_to_entry_id from last), 0) as after_id
  from (select coalesce((select month + interval '1 month' from last), (
      select date_trunc('month', e.created_at at time zone 'UTC') from ledger_entries e order by e.id limit 1
    ))::date as month) n
  where n.month is not null and ${isAsked} and not exists (select from last where digest is null)
),
later as materialized (
  select (
    select h.id from (
      select r.task_id from reservations r
      where r.task_id >= 'task_' || first_id_at(n.end_at + interval '${(2 * CLOCKS_MS) / 1000} seconds') order by r.task_id limit 1
    ) r join ledger_entries h on h.task_id = r.task_id and h.kind = 'hold'
  ) as entry_id from next n
),
bound as materialized (
  select n.*, greatest(n.after_id, (
    select e.id from ledger_entries e
    where e.id > n.after_id and e.id < coalesce((select entry_id from later), 9223372036854775807) and e.created_at < n.end_at
    order by e.id desc limit 1
  )) as up_to_id
  from next n
),
judged as materialized (
  select b.*, case
    when b.end_at > now() - interval '${ENDED_FOR}' then 'too_early'
    when exists (select from reservations r where r.state = 'held' and r.created_at < b.end_at) then 'tasks_open'
    when b.up_to_id > (select s.entry_id from ledger_seal s) then 'not_audited'
    when (select a.violations from audit_runs a where a.ended_at is not null order by a.id desc limit 1) is distinct from '[]' then 'faults_found'
  end as obstacle
  from bound b
)`;

/**
 * Begins to close the next month, unless a process has begun one already. No row: none is being sealed, and none up to `upTo` is left to close.
 */
export const beginMonth: Statement<[upTo?: string], NextMonth> = {
  text: `
with ${judgedMonth("($1::text is null or n.month <= to_date($1, 'YYYY-MM'))").trim()},
begun as (
  insert into closed_months (month, after_entry_id, up_to_entry_id, sealed_to, pruned_to)
  select month, after_id, up_to_id, after_id, after_id from judged where obstacle is null
  on conflict do nothing
)
select to_char(month, 'YYYY-MM') as month, obstacle from judged
union all select to_char(month, 'YYYY-MM'), null from last where digest is null`,
  values: (upTo) => [upTo ?? null],
};

/** Seals the next entries of the month that is being sealed: their digest, and their sums. No row: none is, or all of it is sealed. */
export const sealMonth: Statement<[from: { pieceEntries: number }], { month: string }> = {
  text: `
with open as materialized (
  select c.month, c.sealed_to as after_id, least(c.sealed_to + $1, c.up_to_entry_id) as up_to_id
  from closed_months c where c.digest is null and c.sealed_to < c.up_to_entry_id
),
moved as materialized (
  update closed_months c set sealed_to = o.up_to_id, piece_digests = c.piece_digests || entries_digest(o.after_id, o.up_to_id),
    piece_ends = c.piece_ends || o.up_to_id
  from open o where c.month = o.month and c.digest is null and c.sealed_to = o.after_id
  returning o.*
),
summed as (
  insert into month_seals as s (account_id, key_id, month, entries, topped_up_nano, adjusted_nano, held_nano, settled_nano, released_nano, refunded_nano)
  select e.account_id, coalesce(e.key_id, ''), m.month, ${SEALED_SUMS}
  from moved m join ledger_entries e on e.id > m.after_id and e.id <= m.up_to_id
  left join lateral (select amount_nano from reservations where task_id = e.task_id and e.kind = 'settle' offset 0) r on true
  group by 1, 2, 3
  on conflict (account_id, key_id, month) do update
    set entries = s.entries + excluded.entries, topped_up_nano = s.topped_up_nano + excluded.topped_up_nano,
      adjusted_nano = s.adjusted_nano + excluded.adjusted_nano, held_nano = s.held_nano + excluded.held_nano,
      settled_nano = s.settled_nano + excluded.settled_nano, released_nano = s.released_nano + excluded.released_nano,
      refunded_nano = s.refunded_nano + excluded.refunded_nano
)
select to_char(month, 'YYYY-MM') as month from moved`,
  values: ({ pieceEntries }) => [pieceEntries],
};

/** Closes the month all of whose entries are sealed. No row: there is none. */
export const closeMonth: Statement<[], { month: string; digest: string }> = {
  text: `
update closed_months c set digest = month_digest(c.month), closed_at = now() where c.digest is null and c.sealed_to = c.up_to_entry_id
returning to_char(c.month, 'YYYY-MM') as month, encode(c.digest, 'hex') as digest`,
  values: () => [],
};

/** A closed month, with the sums of all accounts. */
export interface ClosedMonthRow {
  month: string;
  closedAt: Date;
  digest: string;
  accounts: bigint;
  entries: bigint;
  toppedUpNano: bigint;
  adjustedNano: bigint;
  chargedNano: bigint;
  /** Its single entries of tasks are removed, or being removed. */
  isPruned: boolean;
}

export const listClosedMonths: Statement<[], ClosedMonthRow> = {
  text: `
select to_char(c.month, 'YYYY-MM') as month, c.closed_at as "closedAt", encode(c.digest, 'hex') as digest,
  count(distinct s.account_id) as accounts, coalesce(sum(s.entries), 0)::bigint as entries,
  coalesce(sum(s.topped_up_nano), 0)::bigint as "toppedUpNano", coalesce(sum(s.adjusted_nano), 0)::bigint as "adjustedNano",
  coalesce(sum(s.settled_nano), 0)::bigint as "chargedNano", c.pruned_to > c.after_entry_id as "isPruned"
from closed_months c left join month_seals s on s.month = c.month
where c.digest is not null group by c.month order by c.month`,
  values: () => [],
};

/** Since when all bookings are there; null: none were ever removed. */
export const readKeptSince: Statement<[], { keptSince: Date | null }> = {
  text: `select ${KEPT_SINCE} at time zone 'UTC' as "keptSince"`,
  values: () => [],
};

/** Why bookings of a month stay. `tasks_kept`: the record of one of its tasks is there; `not_summed`: a day of it is not summed up yet. */
export type PruningObstacle = 'tasks_kept' | 'not_summed';

/** The outcome for the oldest month that has bookings to remove: some are removed, or a task is in the way. */
export type PrunedPiece =
  | { month: string; removed: bigint; obstacle: null; taskId: null }
  | { month: string; removed: null; obstacle: PruningObstacle; taskId: string };

/** Removes the next entries and reservations of tasks in closed months that ended so long ago. No row: there is no such month. */
export const pruneBooks: Statement<[retentionMonths: number, maxEntries: number], PrunedPiece> = {
  byPrisma: true,
  text: 'select month, removed, obstacle, task_id as "taskId" from prune_books($1::int, $2::bigint)',
  values: (retentionMonths, maxEntries) => [retentionMonths, maxEntries],
};
