import type { Statement } from '../../../statement';
import { CLOSED_SUMS, CLOSED_TO, KEPT_SINCE, SEALED_SUMS } from '../close-month';
import { movementsOf } from '../ledger-movements';
import { BALANCE_CHANGE } from '../list-ledger';
import { unitsOf } from '../usage-days';
import { type Check, joined, newestEntry, type ViolationRow } from './check';
import { BOOKED_BESIDE, CHAIN_OF_MONTHS, STANDING_CHECKS } from './standing-checks';
import { casesOf, ENTRY_SUMS, type Joins, taskChecks } from './task-checks';

/** The columns of reservations `r` by which days are summed up, and the condition for a reservation that is summed up. */
const DAY_KEY = `r.account_id, (r.created_at at time zone 'UTC')::date as day, (coalesce(r.resolved_at, r.created_at) at time zone 'UTC')::date as ended_on,
        r.key_id, coalesce(r.family, '') as family, coalesce(r.model, '') as model, coalesce(r.channel_id, '') as channel_id`;
const SUMMED_UP = 'r.task_id <= (select summed_to from usage_progress) and not r.is_test';
/** The condition for a day, in `day`, all of whose reservations are there. */
const IS_KEPT_DAY = `day >= coalesce(${KEPT_SINCE}, '-infinity')`;

/** Sums of what settled after the closed months, and of what is held, by an owner of reservations. */
const ofReservations = (owner: 'account_id' | 'key_id') => `(
        select r.${owner} as id, coalesce(sum(r.amount_nano) filter (where r.state = 'held'), 0) as held,
          coalesce(sum(r.settled_nano) filter (where d.id is not null), 0) as settled
        from reservations r
        left join ledger_entries d on d.task_id = r.task_id and d.kind = 'settle' and d.id > ${CLOSED_TO} group by 1)`;
const closedOf = (owner: 'account_id' | 'key_id') =>
  `(select s.${owner} as id, sum(s.topped_up) as topped_up, sum(s.held) as held, sum(s.settled) as settled from (${CLOSED_SUMS}) s group by 1)`;

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
  ...(['account', 'key'] as const).map((owner) => ({
    invariant: `${owner}: held and settled = its reservations`,
    text: `select o.id, format('held %s settled %s, reservations %s and %s', o.held_nano, o.settled_nano,
        coalesce(r.held, 0), coalesce(r.settled, 0) + coalesce(s.settled, 0))
      from ${owner === 'account' ? 'accounts' : 'api_keys'} o left join ${ofReservations(`${owner}_id`)} r using (id)
      left join ${closedOf(`${owner}_id`)} s using (id)
      where o.held_nano <> coalesce(r.held, 0) or o.settled_nano <> coalesce(r.settled, 0) + coalesce(s.settled, 0)`,
  })),
  {
    invariant: 'account: replaying the ledger gives its held and settled',
    text: `select a.id, format('held %s settled %s, ledger %s and %s', a.held_nano, a.settled_nano,
        coalesce(l.held, 0) + coalesce(s.held, 0), coalesce(l.settled, 0) + coalesce(s.settled, 0))
      from accounts a left join (
        select m.account_id as id, sum(m.held) as held, sum(m.settled) as settled
        from (${movementsOf('ledger_entries')} where e.id > ${CLOSED_TO}) m group by 1) l using (id)
      left join ${closedOf('account_id')} s using (id)
      where a.held_nano <> coalesce(l.held, 0) + coalesce(s.held, 0) or a.settled_nano <> coalesce(l.settled, 0) + coalesce(s.settled, 0)`,
  },
  {
    invariant: 'ledger: each balance follows from the one before',
    text: `select l.id, format('balance %s, before %s, change %s', l.balance, l.earlier, l.change)
      from (
        select e.id, e.balance_after_nano as balance, case when row_number() over before = 1 then s.topped_up - s.held - s.settled
            else lag(e.balance_after_nano) over before end as earlier, ${BALANCE_CHANGE} as change,
          lag(e.created_at) over before as earlier_at,
          max(e.created_at) filter (where e.balance_after_nano is null) over before as without_balance_at
        from ledger_entries e left join reservations r on r.task_id = e.task_id left join ${closedOf('account_id')} s on s.id = e.account_id
        where e.id > ${CLOSED_TO}
        window before as (partition by e.account_id order by e.id)
      ) l where l.balance <> l.earlier + l.change and (l.without_balance_at > l.earlier_at - ${BOOKED_BESIDE}) is not true`,
  },
  {
    invariant: 'ledger: the newest balance is that of the account',
    text: `select a.id, format('balance %s, newest entry %s', a.topped_up_nano - a.held_nano - a.settled_nano, e.balance_after_nano)
      from accounts a cross join lateral (
        ${newestEntry({ of: 'a.id' })}
      ) e
      where e.id > ${CLOSED_TO} and e.balance_after_nano <> a.topped_up_nano - a.held_nano - a.settled_nano and not exists (
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
      where s.sums is distinct from e.sums and ${IS_KEPT_DAY}`,
  },
  {
    invariant: 'usage: the units of a day = those of the reservations they are of',
    text: `select account_id, format('%s %s %s: units %s, reservations %s', day, model, unit, coalesce(s.quantity::text, 'none'),
        coalesce(e.quantity::text, 'none'))
      from (select d.account_id, d.day, d.model, q.unit, sum(q.quantity) as quantity
        from usage_days d ${unitsOf('d.id')} group by 1, 2, 3, 4) s
      full join (select r.account_id, (r.created_at at time zone 'UTC')::date as day, coalesce(r.model, '') as model, q.unit,
          sum(q.quantity::numeric) as quantity
        from reservations r cross join lateral jsonb_each_text(r.units) as q(unit, quantity)
        where ${SUMMED_UP} group by 1, 2, 3, 4) e using (account_id, day, model, unit)
      where s.quantity is distinct from e.quantity and ${IS_KEPT_DAY}`,
  },
  {
    invariant: 'usage: what was charged on all days = what the account has settled',
    text: `select a.id, format('days %s, unsummed %s, settled %s', coalesce(d.charged, 0), coalesce(r.charged, 0), a.settled_nano)
      from accounts a left join (select account_id as id, sum(charged_nano) as charged from usage_days group by 1) d using (id)
      left join (select r.account_id as id, sum(r.settled_nano) as charged from reservations r
        where r.task_id > (select summed_to from usage_progress) group by 1) r using (id)
      where a.settled_nano <> coalesce(d.charged, 0) + coalesce(r.charged, 0)`,
  },
  {
    invariant: 'closed month: its entries are those that were sealed',
    text: `select to_char(c.month, 'YYYY-MM'), format('entries after %s, up to %s', p.after_id, p.up_to_id)
      from closed_months c
      cross join lateral (
        select u.digest, lag(u.up_to_id, 1, c.after_entry_id) over (order by u.place) as after_id, u.up_to_id
        from unnest(c.piece_digests, c.piece_ends) with ordinality as u(digest, up_to_id, place)
      ) p
      where c.digest is not null and c.pruned_to = c.after_entry_id and p.digest is distinct from entries_digest(p.after_id, p.up_to_id)`,
  },
  {
    invariant: 'closed month: its sums are those of its entries',
    text: `select format('%s %s %s', to_char(month, 'YYYY-MM'), account_id, key_id), format('sums %s, entries %s', coalesce(s.sums::text, 'none'),
        coalesce(e.sums::text, 'none'))
      from (select s.month, s.account_id, s.key_id, array[s.entries, topped_up_nano, adjusted_nano, held_nano, settled_nano, released_nano,
          refunded_nano]::numeric[] as sums
        from month_seals s join closed_months c on c.month = s.month and c.digest is not null and c.pruned_to = c.after_entry_id) s
      full join (select n.month, n.account_id, n.key_id, array[n.entries, n.topped_up_nano, n.adjusted_nano, n.held_nano, n.settled_nano,
          n.released_nano, n.refunded_nano]::numeric[] as sums
        from (select c.month, e.account_id, coalesce(e.key_id, '') as key_id, ${SEALED_SUMS}
          from closed_months c join ledger_entries e on e.id > c.after_entry_id and e.id <= c.up_to_entry_id
          left join reservations r on r.task_id = e.task_id
          where c.digest is not null and c.pruned_to = c.after_entry_id group by 1, 2, 3) n) e using (month, account_id, key_id)
      where s.sums is distinct from e.sums`,
  },
  {
    invariant: 'closed month: removed entries stay removed',
    text: `select e.id, format('%s of %s', e.kind, e.task_id) from ledger_entries e
      where e.id <= (select coalesce(max(c.pruned_to), 0) from closed_months c where c.pruned_to > c.after_entry_id)
        and e.kind in ('hold', 'settle', 'refund') and not exists (select from reservations r where r.task_id = e.task_id)`,
  },
  ...taskChecks(TOGETHER),
  {
    invariant: 'idempotency key: points to a task of its key',
    text: `select i.idempotency_key, format('task %s', i.task_id) from idempotency_keys i
      left join tasks t on t.id = i.task_id where i.expires_at > now() and t.key_id is distinct from i.key_id`,
  },
  CHAIN_OF_MONTHS,
  ...STANDING_CHECKS,
];

export const INVARIANTS: readonly string[] = CHECKS.map((check) => check.invariant);

/** Audits the whole books, however old: it reads everything, and is slow once there are millions of tasks. */
export const auditBooks: Statement<[], ViolationRow> = {
  text: `with ${ALL_CASES}\n${joined(CHECKS)}`,
  values: () => [],
};
