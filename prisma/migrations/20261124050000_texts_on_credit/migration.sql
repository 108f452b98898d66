-- AlterTable
ALTER TABLE "accounts" ADD COLUMN     "credit_called_at" TIMESTAMPTZ(3),
ADD COLUMN     "credit_nano" BIGINT NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "api_keys" ADD COLUMN     "credit_nano" BIGINT NOT NULL DEFAULT 0;

-- CreateTable
CREATE TABLE "credit_tranches" (
    "id" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "key_id" TEXT NOT NULL,
    "left_nano" BIGINT NOT NULL DEFAULT 0,
    "version" BIGINT NOT NULL DEFAULT 0,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "credit_tranches_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "credit_tranches_left_not_negative" CHECK (left_nano >= 0)
);
-- Each is written several times a second while its account is busy.
ALTER TABLE "credit_tranches" SET (fillfactor = 50);

-- Rows there are have no credit, and satisfy the narrower rules of before: they are checked later, without a lock that keeps others out.
ALTER TABLE "accounts"
  ADD CONSTRAINT "accounts_credit_within_balance" CHECK (
    credit_nano >= 0 AND topped_up_nano - held_nano - settled_nano - credit_nano >= 0) NOT VALID;
ALTER TABLE "api_keys"
  ADD CONSTRAINT "api_keys_credit_within_quota" CHECK (
    credit_nano >= 0 AND (quota_nano IS NULL OR quota_nano - held_nano - settled_nano - credit_nano >= 0)) NOT VALID;

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
-- 4. Whoever sets `waitsForSlot` is admitted only while its key has a slot free in the family.
-- 5. Whoever has an idempotency key must also win its row. Twins in one batch do not, and find the winner when asked again.
-- 6. Winners are debited, once per account and key, and written: task, reservation, ledger entry with the balance it leaves.
--    The task of whoever sets `runsHere` is processed by the process that submits it, under a lease; its next step is its
--    deadline. Whoever sets `expiresInSeconds` must have been begun by then. Tasks with metadata are listed by each of its
--    entries. Those of a key of tests are marked.
--
-- Whoever is refused for money is told what the account, or the key, had available and held as that was decided. What processes have taken
-- as credit counts as held; balances of entries are without it, as in `book_drawn`.
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
    a.topped_up_nano - a.held_nano - a.settled_nano - a.credit_nano as available, a.held_nano + a.credit_nano as held, a.state
  from accounts a where a.id in (select account_id from item)
),
api_key as materialized (
  select k.id, k.account_id, k.held_nano + k.credit_nano as held, k.max_concurrent, k.is_test, o.id as owner_id,
    k.quota_nano - k.held_nano - k.settled_nano - k.credit_nano as own_available, shared_quota_left(o) as shared_available
  from api_keys k join api_keys o on o.id = coalesce(k.maker_id, k.id)
  where k.id in (select key_id from item) and k.revoked_at is null and o.revoked_at is null
    and (least(k.expires_at, o.expires_at) <= now()) is not true
),
known as materialized (
  select t.id from tasks t where t.id = any(task_ids)
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
  select i.*, a.balance as account_balance, a.available as account_available, a.held as account_held,
    least(k.own_available, k.shared_available) as key_available, k.held as key_held,
    k.own_available, k.shared_available, k.owner_id, k.is_test,
    case when fields ? 'waitsForSlot' then k.max_concurrent end as slots,
    row_number() over (partition by i.key_id, coalesce(i.idempotency_key, i.task_id) order by i.ordinal) = 1
    and row_number() over (partition by coalesce(i.continued_task_id, i.task_id) order by i.ordinal) = 1 as first_twin
  from item i
  join account a on a.id = i.account_id and a.state = 'active'
  join api_key k on k.id = i.key_id and k.account_id = a.id
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
    where c.first_twin and c.amount <= c.account_available
      and (c.key_available is null or c.amount <= c.key_available)
  ) c
  where c.account_total <= c.account_available
    and (c.own_available is null or c.key_total <= c.own_available)
    and (c.shared_available is null or c.shared_total <= c.shared_available)
),
-- Of a key with a limit, as many as its open tasks of the family leave room for; the key's lock keeps all others out meanwhile.
admitted as materialized (
  select f.* from funded f where f.slots is null
  union all
  select f.* from funded f
  join (
    select l.task_id, row_number() over (partition by l.key_id, l.fields->>'family' order by l.ordinal) as place
    from funded l where l.slots is not null
  ) p on p.task_id = f.task_id
  where p.place + (
    select count(*) from tasks t
    where t.key_id = f.key_id and t.family = f.fields->>'family' and t.status not in ('completed', 'failed') and not t.parked
  ) <= f.slots
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
    run_by_submitter, lease_until, metadata, start_by, is_test, trace_context)
  select w.task_id, w.account_id, w.key_id, fields->>'family', fields->>'kind', fields->>'model', fields->>'operation',
    fields->'input', fields->'rates', (fields->>'catalogueVersion')::int,
    array(select jsonb_array_elements_text(fields->'warnings')),
    fields->>'webhook', fields->>'language', fields->>'parentTaskId', fields->>'requestId', w.amount,
    now() + make_interval(secs => (fields->>'deadlineMs')::float8 / 1000),
    case when fields ? 'runsHere' then now() + make_interval(secs => (fields->>'deadlineMs')::float8 / 1000) else now() end,
    case when fields ? 'runsHere' then 'processing' else 'submitted' end,
    case when fields ? 'runsHere' then now() end,
    fields ? 'runsHere', now() + make_interval(secs => (fields->>'leaseMs')::float8 / 1000),
    fields->'metadata', now() + make_interval(secs => (fields->>'expiresInSeconds')::int), w.is_test,
    fields->>'traceContext'
  from winner w
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
    when i.task_id in (select task_id from winner) then 'accepted'
    when i.task_id in (select task_id from funded) and i.task_id not in (select task_id from admitted) then 'no_slot'
    when not c.first_twin then 'undecided'
    when c.amount > c.account_available then 'insufficient_account'
    when c.amount > c.key_available then 'insufficient_key'
    else 'undecided'
  end as decision,
  e.task_id as earlier_task_id,
  (select t.warnings from tasks t where t.id = e.task_id) as earlier_warnings,
  case when c.amount > c.account_available then c.account_available when c.amount > c.key_available then c.key_available end
    as available_nano,
  case when c.amount > c.account_available then c.account_held when c.amount > c.key_available then c.key_held end
    as held_nano
from item i
left join account s on s.id = i.account_id
left join earlier e on e.ordinal = i.ordinal
left join candidate c on c.ordinal = i.ordinal
order by i.ordinal;
END $$;

-- Gives back what is left of tranches of credit whose process has not renewed them: it is dead, or was frozen. Whatever that process
-- books on them later finds no row, and is not covered. Answers how many have lapsed.
CREATE OR REPLACE FUNCTION lapse_tranches(ids text[]) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  lapsed bigint;
BEGIN
PERFORM 1 FROM accounts a WHERE a.id IN (SELECT t.account_id FROM credit_tranches t WHERE t.id = ANY(ids)) ORDER BY a.id FOR UPDATE;
PERFORM 1 FROM api_keys k WHERE k.id IN (SELECT t.key_id FROM credit_tranches t WHERE t.id = ANY(ids)) ORDER BY k.id FOR UPDATE;
WITH gone AS (
  DELETE FROM credit_tranches t WHERE t.id = ANY(ids) AND t.expires_at < now() RETURNING t.account_id, t.key_id, t.left_nano
),
account_move AS (
  UPDATE accounts a SET credit_nano = a.credit_nano - g.total
  FROM (SELECT account_id, sum(left_nano)::bigint AS total FROM gone GROUP BY account_id) g WHERE a.id = g.account_id
),
key_move AS (
  UPDATE api_keys k SET credit_nano = k.credit_nano - g.total
  FROM (SELECT key_id, sum(left_nano)::bigint AS total FROM gone GROUP BY key_id) g WHERE k.id = g.key_id
)
SELECT count(*) INTO lapsed FROM gone;
RETURN lapsed;
END $$;

-- What a key, with those that it made, can still spend of its quota; null: it has none. The keys that it made are of its account,
-- so whoever holds the account's lock sees a sum that nobody raises meanwhile.
CREATE OR REPLACE FUNCTION shared_quota_left(owner api_keys) RETURNS bigint LANGUAGE sql STABLE AS $$
select case when owner.quota_nano is not null then owner.quota_nano - owner.held_nano - owner.settled_nano - owner.credit_nano
  - (select coalesce(sum(made.held_nano + made.settled_nano + made.credit_nano), 0)::bigint from api_keys made where made.maker_id = owner.id) end
$$;
