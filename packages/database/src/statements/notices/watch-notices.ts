import type { Nano } from '@mediagate/contracts';
import type { Statement } from '../../statement';
import { OF_OPERATORS, OPERATORS, type Watched, watchFor } from './watch-for';

/**
 * Active accounts that were topped up once and have less than their limit. The balances are read from every account's row, as
 * `readStanding` does: an index of balances would make each booking write to it.
 */
export const watchLowBalances: Statement<[limitNano: Nano], Watched> = {
  text: watchFor(
    'low_balance',
    `${OF_OPERATORS},
low as materialized (
  select a.id, a.name, a.topped_up_nano - a.held_nano - a.settled_nano as balance, l.limit_nano,
    coalesce(s.low_balance_nano, l.limit_nano) as own_limit_nano
  from accounts a
  cross join (select coalesce(o.low_balance_nano, $1::bigint) as limit_nano from of_operators o) l
  left join notice_settings s on s.owner = a.id
  where a.state = 'active' and a.topped_up_nano > 0
    and a.topped_up_nano - a.held_nano - a.settled_nano < greatest(l.limit_nano, s.low_balance_nano)
),
holds as materialized (
  select w.owner, a.id as subject, a.id as account_id, 0 as level, now() as since, jsonb_build_object('name', a.name,
    'balance_nano', a.balance::text, 'limit_nano', w.limit_nano::text) as figures
  from low a
  cross join lateral (values ('${OPERATORS}', a.limit_nano), (a.id, a.own_limit_nano)) as w(owner, limit_nano)
  where a.balance < w.limit_nano
)`,
  ),
  values: (limitNano) => [limitNano],
};

/** Keys that have used or hold so much of their quota; the keys that a key made spend from it, too. The level is the highest percentage reached. */
export const watchKeyQuotas: Statement<[percents: readonly number[]], Watched> = {
  text: watchFor(
    'key_quota',
    `${OF_OPERATORS},
usual as (select coalesce(nullif(o.key_quota_percents, '{}'), $1::int[]) as percents from of_operators o),
least_of_all as (
  select min(p.percent) as percent from (
    select unnest(u.percents) as percent from usual u union all select unnest(s.key_quota_percents) from notice_settings s
  ) p
),
made as (
  select k.maker_id, sum(k.held_nano + k.settled_nano)::bigint as used from api_keys k where k.maker_id is not null group by k.maker_id
),
used as materialized (
  select k.id, k.account_id, k.name, k.quota_nano, u.used, u.used::float8 / k.quota_nano * 100 as percent
  from api_keys k
  left join made m on m.maker_id = k.id
  cross join lateral (select k.held_nano + k.settled_nano + coalesce(m.used, 0) as used) u
  where k.quota_nano > 0 and k.revoked_at is null and (k.expires_at <= now()) is not true
    and u.used::float8 / k.quota_nano * 100 >= (select l.percent from least_of_all l)
),
holds as materialized (
  select w.owner, k.id as subject, k.account_id, r.level, now() as since, jsonb_build_object('name', k.name,
    'percent', floor(k.percent), 'left_nano', greatest(0, k.quota_nano - k.used)::text, 'quota_nano', k.quota_nano::text) as figures
  from used k
  join accounts a on a.id = k.account_id and a.state = 'active'
  cross join usual u
  left join notice_settings s on s.owner = k.account_id
  cross join lateral (
    values ('${OPERATORS}', u.percents), (k.account_id, coalesce(nullif(s.key_quota_percents, '{}'), u.percents))
  ) as w(owner, percents)
  cross join lateral (select max(p) as level from unnest(w.percents) p where p <= k.percent) r
  where r.level is not null
)`,
  ),
  values: (percents) => [percents],
};

/**
 * Accounts of which so many callbacks were not delivered within the hour, and no more were. A callback counts that was given up, and
 * one that is tried on after three attempts; not one that an operator ended. Ids of tasks sort by their time: what was delivered of late is found
 * by an index that bookings do not write to.
 */
export const watchCallbacks: Statement<[failed: number], Watched> = {
  text: watchFor(
    'callbacks_failing',
    `${OF_OPERATORS},
usual as (select coalesce(o.callbacks_failed, $1::int) as failed from of_operators o),
failing as materialized (
  select d.account_id, count(*)::int as failed
  from webhook_deliveries d
  where (d.state in ('rejected', 'exhausted', 'dropped') or (d.state = 'pending' and d.attempts_made >= 3))
    and (d.ended_at > now() - interval '1 hour' or d.ended_at is null) and d.reason is distinct from 'cancelled_by_operator'
  group by d.account_id
  having count(*) >= least((select u.failed from usual u), (select min(s.callbacks_failed) from notice_settings s))
),
holds as materialized (
  select w.owner, a.id as subject, a.id as account_id, 0 as level, now() as since,
    jsonb_build_object('name', a.name, 'failed', f.failed, 'delivered', d.delivered) as figures
  from failing f
  join accounts a on a.id = f.account_id and a.state = 'active'
  cross join usual u
  left join notice_settings s on s.owner = a.id
  cross join lateral (
    select count(*)::int as delivered from (
      -- As a row, in the order of its index: else the hour of all accounts is read for each.
      select from webhook_deliveries d
      where (d.account_id, d.state) <= (f.account_id, 'delivered')
        and (d.account_id, d.state, d.task_id) >= (f.account_id, 'delivered', 'task_' || first_id_at(now() - interval '1 hour'))
      order by d.account_id desc, d.state desc, d.task_id desc limit f.failed + 1
    ) o
  ) d
  cross join lateral (values ('${OPERATORS}', u.failed), (a.id, coalesce(s.callbacks_failed, u.failed))) as w(owner, failed)
  where f.failed >= w.failed and d.delivered <= f.failed
)`,
  ),
  values: (failed) => [failed],
};

/** Raises what the newest audit or the newest one of the whole books found: an audit of recent bookings says nothing of the others. */
export const watchAudits: Statement<[], Watched> = {
  text: watchFor(
    'audit_violation',
    `
newest as (
  (select r.id, r.ended_at, r.violations from audit_runs r where r.ended_at is not null order by r.id desc limit 1)
  union
  (select r.id, r.ended_at, r.violations from audit_runs r where r.ended_at is not null and r.whole order by r.id desc limit 1)
),
holds as materialized (
  select '${OPERATORS}' as owner, 'books' as subject, null::text as account_id, 0 as level, r.ended_at as since,
    jsonb_build_object('audit', 'audit_' || r.id, 'violations', jsonb_array_length(r.violations)) as figures
  from newest r where jsonb_array_length(r.violations) > 0 order by r.id desc limit 1
)`,
  ),
  values: () => [],
};
