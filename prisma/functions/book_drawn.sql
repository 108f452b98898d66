-- Books what a process has drawn from its tranches of credit, and fills these up again, in one call, which is one transaction. A tranche is
-- money of one account and key that one process has taken: it lies in `credit_nano` of both, which is in nobody's balance, until it is booked,
-- given back, or has lapsed.
--
-- Accounts, then keys, are locked in id order, as everywhere; whoever changes a tranche holds its account's lock. In order of execution:
--
-- 1. Tranches that are to be opened get a row. Who lets one lapse finds no row any more, so that nothing more is booked on it.
-- 2. The items of a tranche are booked together, if what is left of it covers the most that each can cost, and else none of them: `booked`
--    is false then, and the process books them as if nothing had been drawn. A task id that exists already was booked by an earlier
--    try whose answer was lost.
-- 3. A task that has ended is written as it is, with its settled or refunded reservation and both entries; one that still runs is written
--    as `book_tasks` writes it, under a lease of its process.
-- 4. A tranche is filled up to `wanted` while its account is active, its key alive and without a limit of tasks at once, nobody has called the
--    account's credit in, and both have `headroom` times as much beside. Else `goes_on` is false: the process draws no more and gives back
--    the rest once all is booked. That is a `wanted` of 0, and the row goes.
--
-- Balances of entries are without credit: they follow from one another as if each task had been booked by itself.
--
-- The first five arrays are of one length, and so are the last three; `item_tranches` are positions in the former. Rows come back in the order
-- of the tranches; `version` grows with each call, by which late answers are known.
CREATE OR REPLACE FUNCTION book_drawn(
  tranche_ids text[], account_ids text[], key_ids text[], opened boolean[], wanted_amounts bigint[],
  item_tranches int[], task_ids text[], payloads text[], life_ms int, headroom int, lock_wait_ms int
) RETURNS TABLE (booked boolean, goes_on boolean, left_nano bigint, version bigint) LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
PERFORM set_config('lock_timeout', lock_wait_ms::text, true);
PERFORM 1 FROM accounts a WHERE a.id = ANY(account_ids) ORDER BY a.id FOR UPDATE;
PERFORM 1 FROM api_keys k WHERE k.id = ANY(key_ids) ORDER BY k.id FOR UPDATE;
INSERT INTO credit_tranches (id, account_id, key_id, expires_at)
SELECT i.id, i.account_id, i.key_id, now() + make_interval(secs => life_ms / 1000.0)
FROM unnest(tranche_ids, account_ids, key_ids, opened) AS i(id, account_id, key_id, opens)
JOIN api_keys k ON k.id = i.key_id AND k.account_id = i.account_id
WHERE i.opens ORDER BY i.id ON CONFLICT (id) DO NOTHING;
RETURN QUERY
with wish as materialized (
  select i.* from unnest(tranche_ids, account_ids, key_ids, wanted_amounts) with ordinality
    as i(id, account_id, key_id, wanted, ordinal)
),
tranche as materialized (
  select w.*, t.left_nano from wish w
  join credit_tranches t on t.id = w.id and t.account_id = w.account_id and t.key_id = w.key_id
),
known as materialized (
  select t.id from tasks t where t.id = any(task_ids)
),
item as materialized (
  select i.ordinal, i.task_id, i.payload::jsonb as fields, t.id as tranche_id, t.account_id, t.key_id
  from unnest(item_tranches, task_ids, payloads) with ordinality as i(place, task_id, payload, ordinal)
  join tranche t on t.ordinal = i.place
  where i.task_id not in (select id from known)
),
task_to_book as materialized (
  select i.*, f.status, f.reserved, case when f.status = 'completed' then least(f.cost, f.reserved) else 0 end as settled,
    case when f.status = 'completed' then greatest(f.cost - f.reserved, 0) else 0 end as overrun,
    now() - make_interval(secs => f."beganMsAgo" / 1000) as began_at, f.calls,
    now() + make_interval(secs => (f."deadlineMs" - f."beganMsAgo") / 1000) as deadline_at,
    case f.status when 'completed' then 'settled' when 'failed' then 'refunded' else 'held' end as state
  from item i cross join lateral jsonb_to_record(i.fields)
    as f(status text, reserved bigint, cost bigint, "beganMsAgo" float8, "deadlineMs" float8, calls jsonb)
),
covered as materialized (
  select t.*, t.left_nano - coalesce(n.total, 0) as remaining, coalesce(n.total, 0) as drawn
  from tranche t
  left join (select tranche_id, sum(reserved)::bigint as total from task_to_book group by tranche_id) n on n.tranche_id = t.id
  where coalesce(n.total, 0) <= t.left_nano
),
account as materialized (
  select a.id, a.topped_up_nano - a.held_nano - a.settled_nano as balance,
    a.topped_up_nano - a.held_nano - a.settled_nano - a.credit_nano as available,
    a.state = 'active' and (a.credit_called_at > now() - interval '5 seconds') is not true as lends
  from accounts a where a.id = any(account_ids)
),
api_key as materialized (
  select k.id, o.id as owner_id,
    least(k.quota_nano - k.held_nano - k.settled_nano - k.credit_nano, shared_quota_left(o)) as available,
    k.revoked_at is null and o.revoked_at is null and (least(k.expires_at, o.expires_at) <= now()) is not true
      and k.max_concurrent is null and not k.is_test as lends
  from api_keys k join api_keys o on o.id = coalesce(k.maker_id, k.id)
  where k.id = any(key_ids)
),
judged as materialized (
  select c.*, c.wanted > 0 and c.lends and c.account_wanted * headroom <= c.account_available
    and (c.key_available is null or c.owner_wanted * headroom <= c.key_available) as goes_on
  from (
    select c.*, a.lends and k.lends as lends, a.available as account_available, k.available as key_available,
      sum(c.wanted) over (partition by c.account_id) as account_wanted, sum(c.wanted) over (partition by k.owner_id) as owner_wanted
    from covered c join account a on a.id = c.account_id join api_key k on k.id = c.key_id
  ) c
),
filled as materialized (
  select j.*, case when j.wanted = 0 then -j.remaining when j.goes_on then greatest(j.wanted - j.remaining, 0) else 0 end as added
  from judged j
),
booking as materialized (
  select b.* from task_to_book b where b.tranche_id in (select id from filled)
),
movement as materialized (
  select account_id, key_id, added - drawn as credit, 0::bigint as held, 0::bigint as settled from filled
  union all
  select account_id, key_id, 0, case when state = 'held' then reserved else 0 end, settled from booking
),
account_move as (
  update accounts a set credit_nano = a.credit_nano + m.credit, held_nano = a.held_nano + m.held, settled_nano = a.settled_nano + m.settled
  from (
    select account_id, sum(credit)::bigint as credit, sum(held)::bigint as held, sum(settled)::bigint as settled
    from movement group by account_id
  ) m
  where a.id = m.account_id
),
key_move as (
  update api_keys k set credit_nano = k.credit_nano + m.credit, held_nano = k.held_nano + m.held, settled_nano = k.settled_nano + m.settled
  from (
    select key_id, sum(credit)::bigint as credit, sum(held)::bigint as held, sum(settled)::bigint as settled
    from movement group by key_id
  ) m
  where k.id = m.key_id
),
kept as (
  update credit_tranches t set left_nano = f.remaining + f.added, version = t.version + 1,
    expires_at = now() + make_interval(secs => life_ms / 1000.0)
  from filled f where t.id = f.id and f.wanted > 0
  returning t.id, t.left_nano, t.version
),
given_back as (
  delete from credit_tranches t using filled f where t.id = f.id and f.wanted = 0
),
task as (
  insert into tasks (id, account_id, key_id, family, kind, model, operation, input, rates, catalogue_version, warnings,
    request_id, reserved_nano, deadline_at, next_step_at, status, progress, created_at, started_at, completed_at, run_by_submitter,
    lease_until, metadata, trace_context, cost_nano, usage, error, channel_id, attempts_made)
  select b.task_id, b.account_id, b.key_id, fields->>'family', fields->>'kind', fields->>'model', fields->>'operation',
    fields->'input', fields->'rates', (fields->>'catalogueVersion')::int,
    array(select jsonb_array_elements_text(fields->'warnings')), fields->>'requestId', b.reserved, b.deadline_at, b.deadline_at,
    b.status, case when b.state = 'held' then 0 else 100 end, b.began_at, b.began_at, case when b.state <> 'held' then now() end, true,
    case when b.state = 'held' then now() + make_interval(secs => (fields->>'leaseMs')::float8 / 1000) end,
    fields->'metadata', fields->>'traceContext', case when b.state <> 'held' then b.settled end, fields->'usage', fields->'error',
    b.calls #>> '{-1,channelId}', coalesce(jsonb_array_length(b.calls), 0)
  from booking b
),
label as (
  insert into task_labels (account_id, label_hash, task_id)
  select b.account_id, l.label_hash, b.task_id
  from booking b cross join lateral task_label_hashes(fields->'metadata') as l(label_hash)
  where fields ? 'metadata'
),
reservation as (
  insert into reservations (task_id, account_id, key_id, family, model, amount_nano, expires_at, created_at, state, settled_nano, units,
    resolved_at, channel_id, cost_nano)
  select b.task_id, b.account_id, b.key_id, fields->>'family', fields->>'model', b.reserved, b.deadline_at, b.began_at, b.state,
    case when b.state = 'settled' then b.settled end, fields->'units', case when b.state <> 'held' then now() end,
    b.calls #>> '{-1,channelId}',
    case when b.calls = '[]' then 0 else (b.calls #>> '{-1,costNano}')::bigint end
  from booking b
),
entry as (
  insert into ledger_entries (account_id, key_id, task_id, kind, amount_nano, balance_after_nano)
  select e.account_id, e.key_id, e.task_id, e.kind, e.amount,
    a.balance + sum(e.change) over (partition by e.account_id order by e.ordinal, e.step)
  from (
    select b.account_id, b.key_id, b.task_id, b.ordinal, 1 as step, 'hold' as kind, b.reserved as amount, -b.reserved as change
    from booking b
    union all
    select b.account_id, b.key_id, b.task_id, b.ordinal, 2, case b.state when 'settled' then 'settle' else 'refund' end,
      case b.state when 'settled' then b.settled else b.reserved end, b.reserved - b.settled
    from booking b where b.state <> 'held'
  ) e join account a on a.id = e.account_id
  order by e.ordinal, e.step
),
overrun as (
  insert into overruns (task_id, amount_nano) select task_id, overrun from booking where overrun > 0
),
made as (
  insert into task_attempts (id, task_id, number, channel_id, protocol, state, fault, detail, request_ids, usage,
    cost_nano, cost_origin, started_at, ended_at)
  select c.id, b.task_id, c.number, c."channelId", c.protocol, c.state, c.fault, c.detail, coalesce(c."requestIds", '{}'),
    c.usage, c."costNano", c."costOrigin", now() - make_interval(secs => c."beganMsAgo" / 1000),
    now() - make_interval(secs => c."endedMsAgo" / 1000)
  from booking b
  cross join lateral jsonb_to_recordset(b.calls)
    as c(id text, number int, "channelId" text, protocol text, state text, fault text, detail text, "requestIds" text[],
      usage jsonb, "costNano" bigint, "costOrigin" text, "beganMsAgo" float8, "endedMsAgo" float8)
)
select f.id is not null, coalesce(f.goes_on, false), coalesce(k.left_nano, 0), coalesce(k.version, 0)
from wish w
left join filled f on f.id = w.id
left join kept k on k.id = w.id
order by w.ordinal;
END $$;
