import type { Statement } from '../../../statement';
import { BALANCE_CHANGE } from '../list-ledger';
import { type Check, joined, type ViolationRow } from './check';
import { newestEntry } from './newest-entry';
import { BOOKED_BESIDE, STANDING_CHECKS } from './standing-checks';
import { casesOf, ENTRY_SUMS, type Joins, taskChecks } from './task-checks';

/** The columns of reservations `r` by which days are summed up, and the condition for a reservation that is summed up. */
const DAY_KEY = `r.account_id, (r.created_at at time zone 'UTC')::date as day, (coalesce(r.resolved_at, r.created_at) at time zone 'UTC')::date as ended_on,
        r.key_id, coalesce(r.family, '') as family, coalesce(r.model, '') as model, coalesce(r.channel_id, '') as channel_id`;
const SUMMED_UP = 'r.task_id <= (select summed_to from usage_progress) and not r.is_test';

/** The rows of all tasks are joined table by table. */
const TOGETHER: Joins = {
  cases: `left join tasks t on t.id = k.task_id
  left join reservations r on r.task_id = k.task_id
  left join (
    select task_id, ${ENTRY_SUMS}
    from ledger_entries where task_id is not null group by task_id) e on e.task_id = k.task_id`,
  attempts: 'join task_attempts a on a.task_id = c.task_id',
  deliveries: 'left join webhook_deliveries d on d.task_id = c.task_id',
};

/** Every task that any row is of. */
const ALL_CASES = `
touched as materialized (
  select id as task_id from tasks
  union select task_id from reservations
  union select task_id from ledger_entries where task_id is not null
  union select task_id from task_attempts where state in ('starting', 'accepted')
),
${casesOf(TOGETHER)}`;

const CHECKS: readonly Check[] = [
  {
    invariant: 'account: topped up = its top_up and adjust entries',
    text: `select a.id, format('topped up %s, entries %s', a.topped_up_nano, coalesce(e.total, 0))
      from accounts a left join (select account_id, sum(amount_nano) as total from ledger_entries
        where kind in ('top_up', 'adjust') group by account_id) e on e.account_id = a.id
      where a.topped_up_nano <> coalesce(e.total, 0)`,
  },
  {
    invariant: 'account: held and settled = its reservations',
    text: `select a.id, format('held %s settled %s, reservations %s and %s', a.held_nano, a.settled_nano,
        coalesce(r.held, 0), coalesce(r.settled, 0))
      from accounts a left join (select account_id, sum(amount_nano) filter (where state = 'held') as held,
        sum(settled_nano) as settled from reservations group by account_id) r on r.account_id = a.id
      where a.held_nano <> coalesce(r.held, 0) or a.settled_nano <> coalesce(r.settled, 0)`,
  },
  {
    invariant: 'key: held and settled = its reservations',
    text: `select k.id, format('held %s settled %s, reservations %s and %s', k.held_nano, k.settled_nano,
        coalesce(r.held, 0), coalesce(r.settled, 0))
      from api_keys k left join (select key_id, sum(amount_nano) filter (where state = 'held') as held,
        sum(settled_nano) as settled from reservations group by key_id) r on r.key_id = k.id
      where k.held_nano <> coalesce(r.held, 0) or k.settled_nano <> coalesce(r.settled, 0)`,
  },
  {
    invariant: 'account: replaying the ledger gives its held and settled',
    text: `select a.id, format('held %s settled %s, ledger %s and %s', a.held_nano, a.settled_nano,
        coalesce(l.held, 0), coalesce(l.settled, 0))
      from accounts a left join (
        select h.account_id, sum(h.amount_nano) filter (where d.id is null) as held,
          sum(d.amount_nano) filter (where d.kind = 'settle') as settled
        from ledger_entries h
        left join ledger_entries d on d.task_id = h.task_id and d.kind in ('settle', 'refund')
        where h.kind = 'hold' group by h.account_id) l on l.account_id = a.id
      where a.held_nano <> coalesce(l.held, 0) or a.settled_nano <> coalesce(l.settled, 0)`,
  },
  {
    invariant: 'ledger: each balance follows from the one before',
    text: `select l.id, format('balance %s, before %s, change %s', l.balance, l.earlier, l.change)
      from (
        select e.id, e.balance_after_nano as balance, lag(e.balance_after_nano) over before as earlier, ${BALANCE_CHANGE} as change,
          lag(e.created_at) over before as earlier_at,
          max(e.created_at) filter (where e.balance_after_nano is null) over before as without_balance_at
        from ledger_entries e left join reservations r on r.task_id = e.task_id
        window before as (partition by e.account_id order by e.id)
      ) l where l.balance <> l.earlier + l.change and (l.without_balance_at > l.earlier_at - ${BOOKED_BESIDE}) is not true`,
  },
  {
    invariant: 'ledger: the newest balance is that of the account',
    text: `select a.id, format('balance %s, newest entry %s', a.topped_up_nano - a.held_nano - a.settled_nano, e.balance_after_nano)
      from accounts a cross join lateral (
        ${newestEntry({ of: 'a.id' })}
      ) e
      where e.balance_after_nano <> a.topped_up_nano - a.held_nano - a.settled_nano and not exists (
        select from ledger_entries l where l.account_id = a.id and l.id < e.id and l.balance_after_nano is null
          and l.created_at > e.created_at - ${BOOKED_BESIDE})`,
  },
  {
    invariant: 'key: within its quota, with those that it made',
    text: `select k.id, format('%s', shared_quota_left(k)) from api_keys k where shared_quota_left(k) < 0`,
  },
  {
    invariant: 'usage: the sums of a day = the reservations they are of',
    text: `select account_id, format('%s %s %s: sums %s, reservations %s', day, key_id, model, coalesce(s.sums::text, 'none'),
        coalesce(e.sums::text, 'none'))
      from (select account_id, day, ended_on, key_id, family, model, channel_id,
        array[completed, failed, charged_nano, refunded_nano, cost_nano, cost_unknown]::numeric[] as sums from usage_days) s
      full join (select ${DAY_KEY}, array[count(*) filter (where r.state = 'settled'), count(*) filter (where r.state = 'refunded'),
          coalesce(sum(r.settled_nano), 0), coalesce(sum(a.amount_nano), 0), coalesce(sum(r.cost_nano), 0),
          count(*) filter (where r.cost_nano is null)]::numeric[] as sums
        from reservations r
        left join ledger_entries a on a.task_id = r.task_id and a.kind = 'adjust'
        where ${SUMMED_UP} group by 1, 2, 3, 4, 5, 6, 7) e using (account_id, day, ended_on, key_id, family, model, channel_id)
      where s.sums is distinct from e.sums`,
  },
  {
    invariant: 'usage: the units of a day = those of the reservations they are of',
    text: `select account_id, format('%s %s %s: units %s, reservations %s', day, model, unit, coalesce(s.quantity::text, 'none'),
        coalesce(e.quantity::text, 'none'))
      from (select d.account_id, d.day, d.model, u.unit, sum(u.quantity) as quantity
        from usage_units u join usage_days d on d.id = u.day_id group by 1, 2, 3, 4) s
      full join (select r.account_id, (r.created_at at time zone 'UTC')::date as day, coalesce(r.model, '') as model, q.unit,
          sum(q.quantity::numeric) as quantity
        from reservations r cross join lateral jsonb_each_text(r.units) as q(unit, quantity)
        where ${SUMMED_UP} group by 1, 2, 3, 4) e using (account_id, day, model, unit)
      where s.quantity is distinct from e.quantity`,
  },
  ...taskChecks(TOGETHER),
  {
    invariant: 'idempotency key: points to a task of its key',
    text: `select i.idempotency_key, format('task %s', i.task_id) from idempotency_keys i
      left join tasks t on t.id = i.task_id where i.expires_at > now() and t.key_id is distinct from i.key_id`,
  },
  ...STANDING_CHECKS,
];

export const INVARIANTS: readonly string[] = CHECKS.map((check) => check.invariant);

/** Audits the whole books, however old: it reads everything, and is slow once there are millions of tasks. */
export const auditBooks: Statement<[], ViolationRow> = {
  text: `with ${ALL_CASES}\n${joined(CHECKS)}`,
  values: () => [],
};
