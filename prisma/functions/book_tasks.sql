-- Decides and books any number of submissions in one call, which is one transaction. In order of execution:
--
-- 1. Accounts, then keys, are locked in id order, so two batches never wait for each other in a circle. Each command of a
--    function sees what was committed before it began, so the decisions rest on what the last holder of the locks left
--    behind. An account whose row somebody holds for long fails the batch after lock_wait_ms; the others of the batch
--    are then submitted without it.
-- 2. A submission is refused when it cannot be paid alone, or when it continues a parent that has ended or that another
--    submission continued first.
-- 3. The others are funded in order of arrival while the money of their account and key lasts, and that of the key that made
--    theirs: its quota is for itself and for all that it made. Whoever comes after is left
--    undecided and asked again: a running total must not refuse a small task because of a larger one. The first
--    submission of each account is always decided.
-- 4. Whoever sets `waitsForSlot` is admitted only while its key has a slot free in the family. Whoever sets `queuesForSlot` is always admitted:
--    without a free slot, or while others await one, its task awaits one in its row (`awaits_slot`).
-- 5. Whoever has an idempotency key must also win its row. Twins in one batch do not, and find the winner when asked again.
-- 6. Winners are debited, once per account and key, and written: task, reservation, ledger entry with the balance it leaves.
--    The task of whoever sets `runsHere` is processed by the process that submits it, under a lease; its next step is its
--    deadline. That of whoever sets `begun` has the claim of the worker that it is handed to, and the intent of its first attempt,
--    as if the worker had written both: APIs of 0.1.0 send it, which run beside the release that follows, and the one after that
--    drops it. Whoever sets `expiresInSeconds` must have been begun by then. Tasks with metadata are listed by each of its
--    entries. Those of a key of tests are marked.
--
-- Whoever is refused for money is told what the account, or the key, had available and held as that was decided. Whoever is accepted is
-- told what is held for the task: with `leastNano` that is what account and key have, where they do not have the whole amount, and no less than that.
-- With `holdsByHalves` it is what the key has, halved until the account has it: that tells the key no more of the balance than a refusal does.
--
-- A task id that exists already is the same submission, sent again because the connection broke around its commit.
--
-- The arrays are of one length; idempotency keys and hashes may be null; a payload is a JSON text with the task's other
-- columns. Rows come back in the order of the arrays.
--
-- `is not true` keeps look-ups on primary keys: no partial index matches it, and the plan is made only once. An index over
-- all that is open or alive, chosen while it was small, would be kept while it grows.
CREATE OR REPLACE FUNCTION book_tasks(
  task_ids text[], account_ids text[], key_ids text[], amounts bigint[], idempotency_key_texts text[],
  request_hashes bytea[], payloads text[], idempotency_seconds int, lock_wait_ms int
) RETURNS TABLE (
  decision text, earlier_task_id text, earlier_warnings text[], available_nano bigint, held_nano bigint
) LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
PERFORM set_config('lock_timeout', lock_wait_ms::text, true);
PERFORM 1 FROM accounts a WHERE a.id = ANY(account_ids) ORDER BY a.id FOR UPDATE;
PERFORM 1 FROM api_keys k WHERE k.id = ANY(key_ids) ORDER BY k.id FOR UPDATE;
RETURN QUERY
with sent as materialized (
  select i.ordinal, i.task_id, i.account_id, i.key_id, i.amount, i.idempotency_key, i.request_hash, i.payload::jsonb as fields
  from unnest(task_ids, account_ids, key_ids, amounts, idempotency_key_texts, request_hashes, payloads)
    with ordinality as i(task_id, account_id, key_id, amount, idempotency_key, request_hash, payload, ordinal)
),
item as materialized (
  select s.*, case when s.fields ? 'continuesParent' then s.fields->>'parentTaskId' end as continued_task_id from sent s
),
account as materialized (
  select a.id, a.topped_up_nano - a.held_nano - a.settled_nano as balance,
    a.held_nano as held, a.state
  from accounts a where a.id in (select account_id from item)
),
api_key as materialized (
  select k.id, k.account_id, k.held_nano as held, k.max_concurrent, k.is_test, o.id as owner_id,
    k.quota_nano - k.held_nano - k.settled_nano as own_available, shared_quota_left(o) as shared_available
  from api_keys k join api_keys o on o.id = coalesce(k.maker_id, k.id)
  where k.id in (select key_id from item) and k.revoked_at is null and o.revoked_at is null
    and (least(k.expires_at, o.expires_at) <= now()) is not true
),
known as materialized (
  select t.id, t.reserved_nano from tasks t where t.id = any(task_ids)
),
earlier as materialized (
  select i.ordinal, x.task_id, x.request_hash = i.request_hash as same_request
  from item i
  join idempotency_keys x on x.key_id = i.key_id and x.idempotency_key = i.idempotency_key
  where (x.expires_at <= now()) is not true
),
continued as materialized (
  select i.ordinal from item i
  where i.continued_task_id is not null and (
    exists (select from tasks c where c.parent_task_id = i.continued_task_id and c.status <> 'failed')
    or not exists (
      select from tasks p where p.id = i.continued_task_id and (p.status in ('completed', 'failed')) is not true
    )
  )
),
candidate as materialized (
  select i.ordinal, i.task_id, i.account_id, i.key_id, i.idempotency_key, i.request_hash, i.fields, i.continued_task_id,
    case when fields ? 'leastNano' then greatest((fields->>'leastNano')::bigint,
      case when fields ? 'holdsByHalves' then k_has.amount >> greatest(0, ceil(log(2.0, greatest(k_has.amount, 1) / greatest(a.balance, 1.0))))::int
        else least(k_has.amount, a.balance) end) else i.amount end as amount,
    a.balance as account_balance, a.held as account_held,
    least(k.own_available, k.shared_available) as key_available, k.held as key_held,
    k.own_available, k.shared_available, k.owner_id, k.is_test,
    case when fields ?| '{waitsForSlot,queuesForSlot}' then k.max_concurrent end as slots,
    row_number() over (partition by i.key_id, coalesce(i.idempotency_key, i.task_id) order by i.ordinal) = 1
    and row_number() over (partition by coalesce(i.continued_task_id, i.task_id) order by i.ordinal) = 1 as first_twin
  from item i
  join account a on a.id = i.account_id and a.state = 'active'
  join api_key k on k.id = i.key_id and k.account_id = a.id
  cross join lateral (select least(i.amount, k.own_available, k.shared_available) as amount) k_has
  where i.task_id not in (select id from known) and i.ordinal not in (select ordinal from earlier)
    and i.ordinal not in (select ordinal from continued)
),
funded as materialized (
  select * from (
    select c.*,
      sum(c.amount) over (partition by c.account_id order by c.ordinal) as account_total,
      sum(c.amount) over (partition by c.key_id order by c.ordinal) as key_total,
      sum(c.amount) over (partition by c.owner_id order by c.ordinal) as shared_total
    from candidate c
    where c.first_twin and c.amount <= c.account_balance
      and (c.key_available is null or c.amount <= c.key_available)
  ) c
  where c.account_total <= c.account_balance
    and (c.own_available is null or c.key_total <= c.own_available)
    and (c.shared_available is null or c.shared_total <= c.shared_available)
),
-- Of a key with a limit, as many as its open tasks of the family leave slots for; the key's lock keeps all others out meanwhile.
line as materialized (
  select l.key_id, l.family, key_slots_used(l.key_id, l.family, 'admitted') as used, exists (
    select from tasks t where t.key_id = l.key_id and t.family = l.family and t.status = 'submitted' and t.awaits_key_slot
  ) as is_awaited
  from (select distinct f.key_id, f.fields->>'family' as family from funded f where f.slots is not null) l
),
admitted as materialized (
  select f.*, false as awaits from funded f where f.slots is null
  union all
  select f.* from (
    select f.*, (f.fields ? 'queuesForSlot' and l.is_awaited)
      or l.used + row_number() over (partition by f.key_id, f.fields->>'family' order by f.ordinal) > f.slots as awaits
    from funded f join line l on l.key_id = f.key_id and l.family = f.fields->>'family' where f.slots is not null
  ) f
  where f.fields ? 'queuesForSlot' or not f.awaits
),
claimed as (
  insert into idempotency_keys as x (key_id, idempotency_key, request_hash, task_id, expires_at)
  select f.key_id, f.idempotency_key, f.request_hash, f.task_id, now() + make_interval(secs => idempotency_seconds)
  from admitted f where f.idempotency_key is not null
  order by f.key_id, f.idempotency_key
  on conflict (key_id, idempotency_key) do update
    set request_hash = excluded.request_hash, task_id = excluded.task_id, expires_at = excluded.expires_at
    where x.expires_at <= now()
  returning x.task_id
),
winner as materialized (
  select f.*
  from admitted f
  where f.idempotency_key is null or f.task_id in (select task_id from claimed)
),
account_debit as (
  update accounts a set held_nano = a.held_nano + w.total
  from (select account_id, sum(amount)::bigint as total from winner group by account_id) w
  where a.id = w.account_id
),
key_debit as (
  update api_keys k set held_nano = k.held_nano + w.total
  from (select key_id, sum(amount)::bigint as total from winner group by key_id) w
  where k.id = w.key_id
),
task as (
  insert into tasks (id, account_id, key_id, family, kind, model, operation, input, rates, catalogue_version, warnings,
    webhook, language, parent_task_id, request_id, reserved_nano, deadline_at, next_step_at, status, started_at,
    run_by_submitter, lease_until, metadata, start_by, is_test, trace_context, fence, attempt_id, attempt_state, channel_id,
    attempts_made, awaits_key_slot, woken_at, listener)
  select w.task_id, w.account_id, w.key_id, fields->>'family', fields->>'kind', fields->>'model', fields->>'operation',
    fields->'input', fields->'rates', (fields->>'catalogueVersion')::int,
    array(select jsonb_array_elements_text(fields->'warnings')),
    fields->>'webhook', fields->>'language', fields->>'parentTaskId', fields->>'requestId', w.amount,
    now() + make_interval(secs => (fields->>'deadlineMs')::float8 / 1000),
    case when fields ? 'runsHere' or w.awaits then now() + make_interval(secs => (fields->>'deadlineMs')::float8 / 1000) else now() end,
    case when fields ? 'runsHere' then 'processing' when fields ? 'begun' then 'pending' else 'submitted' end,
    case when fields ?| '{runsHere,begun}' then now() end,
    fields ? 'runsHere', now() + make_interval(secs => (fields->>'leaseMs')::float8 / 1000),
    fields->'metadata', now() + make_interval(secs => (fields->>'expiresInSeconds')::int), w.is_test,
    fields->>'traceContext', (fields ? 'begun')::int, fields#>>'{begun,attemptId}',
    case when fields ? 'begun' then 'starting' end, fields#>>'{begun,channelId}', (fields ? 'begun')::int,
    w.awaits, case when w.awaits then now() end, fields->'listener'
  from winner w
),
attempt as (
  insert into task_attempts (id, task_id, number, channel_id, protocol, state)
  select fields#>>'{begun,attemptId}', w.task_id, 1, fields#>>'{begun,channelId}', fields#>>'{begun,protocol}', 'starting'
  from winner w where fields ? 'begun'
),
label as (
  insert into task_labels (account_id, label_hash, task_id)
  select w.account_id, l.label_hash, w.task_id
  from winner w cross join lateral task_label_hashes(fields->'metadata') as l(label_hash)
  where fields ? 'metadata'
),
reservation as (
  insert into reservations (task_id, account_id, key_id, family, model, amount_nano, is_test, expires_at)
  select w.task_id, w.account_id, w.key_id, fields->>'family', fields->>'model', w.amount, w.is_test,
    now() + make_interval(secs => (fields->>'deadlineMs')::float8 / 1000)
  from winner w
),
entry as (
  insert into ledger_entries (account_id, key_id, task_id, kind, amount_nano, balance_after_nano)
  select w.account_id, w.key_id, w.task_id, 'hold', w.amount,
    w.account_balance - sum(w.amount) over (partition by w.account_id order by w.ordinal)
  from winner w
  order by w.ordinal
)
select
  case
    when i.task_id in (select id from known) then 'accepted'
    when e.ordinal is not null then case when e.same_request then 'replayed' else 'conflict' end
    when i.ordinal in (select ordinal from continued) then 'continued'
    when s.state <> 'active' then 'account_' || s.state
    when c.ordinal is null then 'key_unknown'
    when i.task_id in (select task_id from winner where awaits) then 'awaits_slot'
    when i.task_id in (select task_id from winner) then 'accepted'
    when i.task_id in (select task_id from funded) and i.task_id not in (select task_id from admitted) then 'no_slot'
    when not c.first_twin then 'undecided'
    when c.amount > c.account_balance then 'insufficient_account'
    when c.amount > c.key_available then 'insufficient_key'
    else 'undecided'
  end as decision,
  e.task_id as earlier_task_id,
  (select t.warnings from tasks t where t.id = e.task_id) as earlier_warnings,
  case when c.amount > c.account_balance then c.account_balance when c.amount > c.key_available then c.key_available end
    as available_nano,
  case when w.ordinal is not null then w.amount when b.id is not null then b.reserved_nano
    when c.amount > c.account_balance then c.account_held when c.amount > c.key_available then c.key_held end as held_nano
from item i
left join known b on b.id = i.task_id
left join winner w on w.ordinal = i.ordinal
left join account s on s.id = i.account_id
left join earlier e on e.ordinal = i.ordinal
left join candidate c on c.ordinal = i.ordinal
order by i.ordinal;
END $$;
