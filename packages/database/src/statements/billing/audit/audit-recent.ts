import type { Statement } from '../../../statement';
import { CLOSED_SUMS, CLOSED_TO } from '../close-month';
import { movementsOf } from '../ledger-movements';
import { BALANCE_CHANGE } from '../list-ledger';
import { type Check, joined, newestEntry, type ViolationRow } from './check';
import { BOOKED_BESIDE, STANDING_CHECKS } from './standing-checks';
import { casesOf, ENTRY_SUMS, type Joins, taskChecks } from './task-checks';

export interface RecentPart {
  /** The part has the ledger entries with ids above `after`, up to `upTo`; null: all later ones, and only then the sums are complete. */
  after: bigint;
  upTo: bigint | null;
  /** Tasks, attempts and entries that were at fault before: looked at again. */
  suspects: readonly string[];
}

/** Tasks are looked up one by one, so that the plan does not depend on how much the planner believes to be in the part. */
const ONE_BY_ONE: Joins = {
  cases: `left join lateral (select * from tasks where id = k.task_id offset 0) t on true
  left join lateral (select * from reservations where task_id = k.task_id offset 0) r on true
  left join lateral (
    select ${ENTRY_SUMS}
    from ledger_entries where task_id = k.task_id offset 0) e on true`,
  attempts: 'cross join lateral (select * from task_attempts where task_id = c.task_id offset 0) a',
  deliveries: 'left join lateral (select id from webhook_deliveries where task_id = c.task_id offset 0) d on true',
};

/**
 * The entries of the part, the tasks that they are for, and all that is known of each task: every change of money has an entry, so that
 * a task in no part has changed no money since it was audited.
 */
const PART = `
part as materialized (
  select e.id, e.account_id, e.key_id, e.task_id, e.kind, e.amount_nano, e.balance_after_nano
  from ledger_entries e where e.id > $1 and e.id <= coalesce($2, 9223372036854775807)
),
touched as materialized (
  select task_id from part where task_id is not null
  union select unnest($3::text[])
  union select task_id from task_attempts where id = any($3::text[])
),
${casesOf(ONE_BY_ONE)},
movements as materialized (${movementsOf('part')}
)`;

/** The sums that rows hold beside the sums of their bookings: united and summed up, not joined, whatever the planner believes. */
const ACCOUNT_SUMS = `(
  select id, topped_up_nano as topped_up, held_nano as held, settled_nano as settled,
    0 as booked_topped_up, 0 as booked_held, 0 as booked_settled from accounts
  union all select account_id, 0, 0, 0, topped_up_nano, held_nano, settled_nano from sealed_accounts
  union all select account_id, 0, 0, 0, topped_up, held, settled from movements)`;
const KEY_SUMS = `(
  select id, held_nano as held, settled_nano as settled, 0 as booked_held, 0 as booked_settled from api_keys
  union all select key_id, 0, 0, held_nano, settled_nano from sealed_keys
  union all select key_id, 0, 0, held, settled from movements where key_id is not null)`;
const IS_COMPLETE = '$2::bigint is null';

const SUMS: readonly Check[] = [
  {
    invariant: 'account: topped up = its top_up and adjust entries',
    text: `select id, format('topped up %s, entries %s', sum(topped_up), sum(booked_topped_up))
      from ${ACCOUNT_SUMS} s where ${IS_COMPLETE} group by id having sum(topped_up) <> sum(booked_topped_up)`,
  },
  {
    invariant: 'account: replaying the ledger gives its held and settled',
    text: `select id, format('held %s settled %s, ledger %s and %s', sum(held), sum(settled), sum(booked_held), sum(booked_settled))
      from ${ACCOUNT_SUMS} s where ${IS_COMPLETE} group by id
      having sum(held) <> sum(booked_held) or sum(settled) <> sum(booked_settled)`,
  },
  {
    invariant: 'key: held and settled = its reservations',
    text: `select id, format('held %s settled %s, reservations %s and %s', sum(held), sum(settled), sum(booked_held), sum(booked_settled))
      from ${KEY_SUMS} s where ${IS_COMPLETE} group by id
      having sum(held) <> sum(booked_held) or sum(settled) <> sum(booked_settled)`,
  },
  {
    invariant: 'ledger: the newest balance is that of the account',
    text: `select m.account_id, format('balance %s, newest entry %s', a.balance, e.balance_after_nano)
      from (select distinct account_id from part where ${IS_COMPLETE}) m
      cross join lateral (
        select topped_up_nano - held_nano - settled_nano as balance from accounts where id = m.account_id offset 0
      ) a
      cross join lateral (
        ${newestEntry({ of: 'm.account_id' })}
      ) e
      where e.balance_after_nano <> a.balance and not exists (
        select from ledger_entries l where l.account_id = m.account_id and l.id < e.id and l.balance_after_nano is null
          and l.created_at > e.created_at - ${BOOKED_BESIDE})`,
  },
  {
    invariant: 'key: within its quota, with those that it made',
    text: `select k.id, format('%s', k.quota_left)
      from (select distinct key_id from part where key_id is not null) m
      cross join lateral (select key.id, shared_quota_left(key) as quota_left from api_keys key where key.id = m.key_id offset 0) k
      where k.quota_left < 0`,
  },
];

/** Entries of the part, and earlier ones that were at fault. */
const ENTRIES = `(
  select id, account_id, task_id, kind, amount_nano, balance_after_nano from part
  union all
  select l.id, l.account_id, l.task_id, l.kind, l.amount_nano, l.balance_after_nano from unnest($3::text[]) suspect
  cross join lateral (
    select * from ledger_entries where id = case when suspect ~ '^[0-9]{1,18}$' then suspect::bigint end and id <= $1 offset 0
  ) l)`;

const CHAIN: Check = {
  invariant: 'ledger: each balance follows from the one before',
  text: `select e.id, format('balance %s, before %s, change %s', e.balance_after_nano, b.balance_after_nano, ${BALANCE_CHANGE})
    from ${ENTRIES} e
    left join lateral (select amount_nano from reservations where task_id = e.task_id and e.kind = 'settle' offset 0) r on true
    left join lateral (
      ${newestEntry({ of: 'e.account_id', before: 'e.id', after: CLOSED_TO })}
    ) n on true
    left join lateral (
      select sum(topped_up - held - settled) as balance from (${CLOSED_SUMS}) s where s.account_id = e.account_id and n.id is null
    ) s on true
    cross join lateral (
      select case when n.id is null then s.balance else n.balance_after_nano end as balance_after_nano, n.created_at
    ) b
    where e.id > ${CLOSED_TO} and e.balance_after_nano <> b.balance_after_nano + ${BALANCE_CHANGE} and not exists (
      select from ledger_entries l where l.account_id = e.account_id and l.id < e.id and l.balance_after_nano is null
        and l.created_at > b.created_at - ${BOOKED_BESIDE})`,
};

/** The standing checks run once, together with the sums. */
const STANDING: readonly Check[] = STANDING_CHECKS.map(({ invariant, text }) => ({
  invariant,
  text: `select * from (${text}) as c(subject, detail) where ${IS_COMPLETE}`,
}));

const CHECKS = [...SUMS, CHAIN, ...taskChecks(ONE_BY_ONE), ...STANDING];

/** The invariants of the whole books that the audit of a recent part checks, too. */
export const RECENT_INVARIANTS: readonly string[] = CHECKS.map((check) => check.invariant);

/**
 * Audits what was booked since the books were sealed, and every sum: it costs as much as that part is long. It does not look at the sums
 * of days, at idempotency keys, or at rows that were audited before and changed without an entry: `auditBooks` does.
 */
export const auditRecent: Statement<[part: RecentPart], ViolationRow> = {
  text: `with ${PART}\n${joined(CHECKS)}`,
  values: ({ after, upTo, suspects }) => [after, upTo, suspects],
};
