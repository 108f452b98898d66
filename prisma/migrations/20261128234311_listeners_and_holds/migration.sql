-- AlterTable
ALTER TABLE "tasks" ADD COLUMN IF NOT EXISTS "end_if_abandoned" JSONB,
ADD COLUMN IF NOT EXISTS "listener" JSONB;

-- AlterTable
ALTER TABLE "accounts" ADD COLUMN IF NOT EXISTS "marks" TEXT CONSTRAINT "accounts_marks_known" CHECK (marks IN ('off', 'metadata', 'signed')),
ADD COLUMN IF NOT EXISTS "unmarked" TEXT CONSTRAINT "accounts_unmarked_known" CHECK (unmarked IN ('deliver', 'fail'));

-- DropTable
DROP TABLE "channel_overrides";

-- CreateTable
CREATE TABLE "closed_months" (
  "month" DATE NOT NULL,
  "after_entry_id" BIGINT NOT NULL,
  "up_to_entry_id" BIGINT NOT NULL,
  "sealed_to" BIGINT NOT NULL,
  "piece_digests" BYTEA[] DEFAULT ARRAY[]::BYTEA[],
  "piece_ends" BIGINT[] DEFAULT ARRAY[]::BIGINT[],
  "digest" BYTEA,
  "closed_at" TIMESTAMPTZ(3),
  "pruned_to" BIGINT NOT NULL,

  CONSTRAINT "closed_months_pkey" PRIMARY KEY ("month"),
  CONSTRAINT "closed_months_closed_whole" CHECK ((digest IS NULL) = (closed_at IS NULL) AND (digest IS NULL OR sealed_to = up_to_entry_id)),
  CONSTRAINT "closed_months_in_order" CHECK (sealed_to BETWEEN after_entry_id AND up_to_entry_id AND pruned_to BETWEEN after_entry_id AND sealed_to),
  CONSTRAINT "closed_months_pruned_once_closed" CHECK (digest IS NOT NULL OR pruned_to = after_entry_id)
);

-- CreateTable
CREATE TABLE "month_seals" (
  "account_id" TEXT NOT NULL,
  "key_id" TEXT NOT NULL,
  "month" DATE NOT NULL,
  "entries" BIGINT NOT NULL,
  "topped_up_nano" BIGINT NOT NULL,
  "adjusted_nano" BIGINT NOT NULL,
  "held_nano" BIGINT NOT NULL,
  "settled_nano" BIGINT NOT NULL,
  "released_nano" BIGINT NOT NULL,
  "refunded_nano" BIGINT NOT NULL,

  CONSTRAINT "month_seals_pkey" PRIMARY KEY ("account_id","key_id","month")
);

-- CreateIndex
CREATE INDEX "month_seals_month_idx" ON "month_seals"("month");

-- CreateTable
CREATE TABLE "open_model_breakers" (
    "process_id" TEXT NOT NULL,
    "channel_id" TEXT NOT NULL,
    "model" TEXT NOT NULL,
    "opened_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "seen_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "open_model_breakers_pkey" PRIMARY KEY ("process_id","channel_id","model")
);

-- CreateTable
CREATE TABLE "fingerprints" (
  "task_id" TEXT NOT NULL,
  "output" INTEGER NOT NULL,
  "account_id" TEXT NOT NULL,
  "key_id" TEXT NOT NULL,
  "kind" TEXT NOT NULL,
  "sha256" BYTEA NOT NULL,
  "hashes" BIGINT[],
  "terms" INTEGER[],
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

  CONSTRAINT "fingerprints_pkey" PRIMARY KEY ("task_id","output")
) WITH (
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_insert_scale_factor = 0.02,
  autovacuum_analyze_scale_factor = 0.02
);

-- CreateIndex
CREATE INDEX "fingerprints_account_id_task_id_idx" ON "fingerprints"("account_id", "task_id");

-- CreateIndex
CREATE INDEX "fingerprints_terms_idx" ON "fingerprints" USING GIN ("terms");

-- A submission on its way through the stages of `book_tasks`.
CREATE TYPE booking AS (
  -- Its place in the batch, from 1.
  ordinal bigint,
  task_id text,
  account_id text,
  key_id text,
  -- The key that made this one, or the key itself: its quota is for both.
  owner_id text,
  idempotency_key text,
  request_hash bytea,
  -- The other columns of its task.
  fields jsonb,
  is_test boolean,
  -- Nano-units to be held; of a task that exists, what is held.
  amount bigint,
  -- What account and key had before, in nano-units; null for keys without a quota. `key_available` is the least of its own and the shared.
  account_balance bigint,
  account_held bigint,
  own_available bigint,
  shared_available bigint,
  key_available bigint,
  key_held bigint,
  -- The slots of its key in a family, if they matter to it; else null.
  slots int,
  -- False: another of the batch comes first that has its idempotency key, or continues the same task.
  is_first_twin boolean,
  -- As soon as it is known; else null.
  decision text,
  earlier_task_id text
);

-- The end of a task on its way through the stages of `complete_tasks`.
CREATE TYPE ending AS (
  task_id text,
  account_id text,
  key_id text,
  former_status text,
  end_status text,
  family text,
  model text,
  is_test boolean,
  created_at timestamptz,
  webhook text,
  trace_context text,
  -- Whether it had a slot of its key, if the key has a limit.
  had_slot boolean,
  -- Whether it ends as its process kept it, and for how long that was kept.
  is_kept_end boolean,
  kept_for interval,
  delivery_id text,
  result jsonb,
  usage jsonb,
  error jsonb,
  units jsonb,
  attempt jsonb,
  calls jsonb,
  note jsonb,
  -- Nano-units: reserved, charged of it, and used beyond it.
  held_nano bigint,
  settled_nano bigint,
  overrun_nano bigint,
  -- What the vendor charges; null: not known.
  vendor_cost_nano bigint,
  -- The channel that settled it, or was asked last.
  paid_channel_id text
);

-- Chooses the funded submissions that have a slot of their key, or need none. Whoever sets `waitsForSlot` is admitted only while its key has a slot
-- free in the family. Whoever sets `queuesForSlot` is always admitted: without a free slot, or while others await one, its task awaits one in
-- its row; `awaiting` has the ordinals of these. The key's lock keeps all others out meanwhile.
CREATE OR REPLACE FUNCTION admit_bookings(funded booking[], OUT admitted booking[], OUT awaiting bigint[]) LANGUAGE plpgsql AS $$
BEGIN
IF NOT EXISTS (SELECT FROM unnest(funded) f WHERE f.slots IS NOT NULL) THEN
  admitted := funded;
  RETURN;
END IF;
with line as materialized (
  select l.key_id, l.family, key_slots_used(l.key_id, l.family, 'admitted') as used, exists (
    -- By the key, whatever the plan was made for: without "offset" all that await a slot of any key may be collected to look among them.
    select from tasks t where t.key_id = l.key_id and t.family = l.family and t.status = 'submitted' and t.awaits_key_slot offset 0
  ) as is_awaited
  from (select distinct f.key_id, f.fields->>'family' as family from unnest(funded) f where f.slots is not null) l
),
placed as (
  select f as booking, f.fields ? 'queuesForSlot' as queues, f.slots is not null and ((f.fields ? 'queuesForSlot' and l.is_awaited)
    or l.used + row_number() over (partition by f.key_id, f.fields->>'family', f.slots is null order by f.ordinal) > f.slots) as awaits
  from unnest(funded) f left join line l on l.key_id = f.key_id and l.family = f.fields->>'family'
)
select coalesce(array_agg(p.booking order by (p.booking).ordinal), '{}'), array_agg((p.booking).ordinal) filter (where p.awaits)
into admitted, awaiting from placed p where p.queues or not p.awaits;
END $$;

-- The amount that a submission with `leastNano` holds: `leastNano` at least, and the key's budget (`key_has`, at most the whole amount) as far as the
-- account covers it. With `holdsByHalves` the key's budget is halved until the account covers it, which reveals no more of the balance than a
-- refusal does. Null: a submission without `leastNano` holds the whole amount.
CREATE OR REPLACE FUNCTION amount_to_hold(fields jsonb, key_has bigint, balance bigint) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN fields ? 'leastNano' THEN greatest((fields->>'leastNano')::bigint,
    CASE WHEN fields ? 'holdsByHalves' THEN key_has >> greatest(0, ceil(log(2.0, greatest(key_has, 1) / greatest(balance, 1.0))))::int
      ELSE least(key_has, balance) END) END
$$;

-- Writes the intent of an attempt if its channel has a slot free, counted over all processes under a lock of the channel.
-- Returns 'begun', 'at_capacity' (nothing was written) or 'lost': the claim is old, its lease has lapsed or was given back, or the time to
-- begin is over.
-- One whose answer was lost may be begun again under its id: it is, once. Locks: channel, task, its waiter.
--
-- `IS TRUE` and `IS NOT TRUE` keep the look-up on the primary key: no partial index matches it, and the plan is made only once.
CREATE OR REPLACE FUNCTION begin_limited_attempt(
  wanted_task text, held_fence int, new_attempt text, wanted_channel text, wanted_protocol text, max_open int,
  wanted_destination text DEFAULT NULL
) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  attempt_number int;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('channel:' || wanted_channel, 0));
  IF EXISTS (
    SELECT FROM tasks t WHERE t.id = wanted_task AND t.fence = held_fence AND t.attempt_id = new_attempt
      AND t.attempt_state = 'starting'
  ) THEN RETURN 'begun'; END IF;
  IF NOT channel_has_slot(wanted_channel, wanted_task, max_open) THEN RETURN 'at_capacity'; END IF;
  UPDATE tasks t SET attempt_id = new_attempt, attempt_state = 'starting', channel_id = wanted_channel,
    upstream_operation = NULL, attempts_made = t.attempts_made + 1, start_by = NULL,
    deadline_at = deadline_once_begun(t.deadline_at, t.start_by)
    WHERE t.id = wanted_task AND t.fence = held_fence AND (t.status IN ('completed', 'failed')) IS NOT TRUE
      AND (t.lease_until > clock_timestamp()) IS TRUE AND (t.start_by <= now()) IS NOT TRUE
    RETURNING t.attempts_made INTO attempt_number;
  IF NOT FOUND THEN RETURN 'lost'; END IF;
  DELETE FROM slot_waiters w WHERE w.task_id = wanted_task;
  INSERT INTO task_attempts (id, task_id, number, channel_id, protocol, destination, state)
    VALUES (new_attempt, wanted_task, attempt_number, wanted_channel, wanted_protocol, wanted_destination, 'starting');
  RETURN 'begun';
END $$;

-- Decides and books any number of submissions in one call, which is one transaction. Its stages, each a function of its own or a command here:
--
-- 1. Lock. Accounts, then keys, are locked in id order, so two batches never wait for each other in a circle. Each command of a
--    function sees what was committed before it began, so the decisions rest on what the last holder of the locks left
--    behind. An account whose row somebody holds for long fails the batch after lock_wait_ms; the others of the batch
--    are then submitted without it.
-- 2. `judge_bookings` decides whatever needs no money: a submission that was sent before, and who may not submit.
-- 3. `fund_bookings`, in order of arrival, while the money of account and keys lasts. Whoever comes after is left undecided and asked
--    again: a running total must not refuse a small task because of a larger one. The first submission of each account is always decided.
-- 4. `admit_bookings`, while their keys have slots free.
-- 5. `claim_idempotency_keys`. Twins of one batch do not get theirs, and find the winner when asked again.
-- 6. `write_booked_tasks` and `debit_bookings`, for those that have come so far. Nothing changes for the others.
--
-- Whoever is refused for money is told what the account, or the key, had available and held as that was decided. Whoever is accepted is
-- told what is held for the task.
--
-- The arrays are of one length; idempotency keys and hashes may be null; a payload is a JSON text with the task's other
-- columns. Rows come back in the order of the arrays. A `booking` is one submission on its way through the stages; the migration
-- that creates this type says what each field has.
CREATE OR REPLACE FUNCTION book_tasks(
  task_ids text[], account_ids text[], key_ids text[], amounts bigint[], idempotency_key_texts text[],
  request_hashes bytea[], payloads text[], idempotency_seconds int, lock_wait_ms int
) RETURNS TABLE (
  decision text, earlier_task_id text, earlier_warnings text[], available_nano bigint, held_nano bigint
) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  bookings booking[]; funded booking[]; admitted booking[]; booked booking[];
  awaiting bigint[];
BEGIN
  PERFORM set_config('lock_timeout', lock_wait_ms::text, true);
  PERFORM 1 FROM accounts a WHERE a.id = ANY(account_ids) ORDER BY a.id FOR UPDATE;
  PERFORM 1 FROM api_keys k WHERE k.id = ANY(key_ids) ORDER BY k.id FOR UPDATE;
  bookings := judge_bookings(task_ids, account_ids, key_ids, amounts, idempotency_key_texts, request_hashes, payloads);
  funded := fund_bookings(bookings);
  SELECT a.admitted, a.awaiting INTO admitted, awaiting FROM admit_bookings(funded) a;
  booked := claim_idempotency_keys(admitted, idempotency_seconds);
  PERFORM write_booked_tasks(booked, awaiting);
  PERFORM debit_bookings(booked);
  RETURN QUERY
  SELECT d.decision, d.earlier_task_id, (SELECT t.warnings FROM tasks t WHERE t.id = d.earlier_task_id),
    CASE d.decision WHEN 'insufficient_account' THEN d.account_balance WHEN 'insufficient_key' THEN d.key_available END,
    CASE d.decision WHEN 'insufficient_account' THEN d.account_held WHEN 'insufficient_key' THEN d.key_held
      WHEN 'accepted' THEN d.amount WHEN 'awaits_slot' THEN d.amount END
  FROM (
    SELECT b.ordinal, b.earlier_task_id, b.amount, b.account_balance, b.account_held, b.key_available, b.key_held, CASE
      WHEN b.decision IS NOT NULL THEN b.decision
      WHEN b.ordinal IN (SELECT w.ordinal FROM unnest(booked) w) THEN CASE WHEN b.ordinal = ANY(awaiting) THEN 'awaits_slot' ELSE 'accepted' END
      WHEN b.ordinal IN (SELECT f.ordinal FROM unnest(funded) f) AND b.ordinal NOT IN (SELECT a.ordinal FROM unnest(admitted) a) THEN 'no_slot'
      WHEN NOT b.is_first_twin THEN 'undecided'
      WHEN b.amount > b.account_balance THEN 'insufficient_account'
      WHEN b.amount > b.key_available THEN 'insufficient_key'
      ELSE 'undecided'
    END AS decision
    FROM unnest(bookings) b
  ) d
  ORDER BY d.ordinal;
END $$;

-- Chooses the admitted submissions that win the row of their idempotency key, or have none.
CREATE OR REPLACE FUNCTION claim_idempotency_keys(admitted booking[], idempotency_seconds int) RETURNS booking[] LANGUAGE plpgsql AS $$
DECLARE
  winners text[];
BEGIN
IF NOT EXISTS (SELECT FROM unnest(admitted) a WHERE a.idempotency_key IS NOT NULL) THEN RETURN admitted; END IF;
with claimed as (
  insert into idempotency_keys as x (key_id, idempotency_key, request_hash, task_id, expires_at)
  select a.key_id, a.idempotency_key, a.request_hash, a.task_id, now() + make_interval(secs => idempotency_seconds)
  from unnest(admitted) a where a.idempotency_key is not null
  order by a.key_id, a.idempotency_key
  on conflict (key_id, idempotency_key) do update
    set request_hash = excluded.request_hash, task_id = excluded.task_id, expires_at = excluded.expires_at
    where x.expires_at <= now()
  returning x.task_id
)
select array_agg(c.task_id) into winners from claimed c;
RETURN ARRAY(
  select a from unnest(admitted) a where a.idempotency_key is null or a.task_id = any(winners) order by a.ordinal
);
END $$;

-- Makes tasks terminal: state, settlement or refund, the attempt's end and the callback's row, in one call, which is one transaction. Stages:
--
-- 1. Lock the tasks, in the order of their ids. Whoever locks a task first and finds it unfinished under its fence wins; everybody else
--    changes nothing and gets no row. Each command of a function sees what was committed before it began, so that an attempt that was
--    begun while this waited is seen as well.
-- 2. `judge_endings`: how each task ends, and what is settled.
-- 3. Lock accounts, then keys, each in the order of ids, as everywhere.
-- 4. `settle_endings` moves the money.
-- 5. `write_endings` writes the tasks, the rows of their callbacks and the notes of operators; `end_attempts` their attempts.
--
-- `items` is an array of objects, one for each task:
--
-- - taskId, status ('completed' or 'failed'), deliveryId (the id for its callback, if it has one)
-- - fence; null: any. onlyUnpaid: only while no upstream has been asked, that is no attempt is open, and no process runs it that took it in
-- - costNano, a decimal text; units: the quantity of each unit for which it is settled; result, usage, error
-- - attempt: how the attempt under way ended. calls: those that no attempt was written for, in their order
-- - note: for the audit log, if an operator ends the task
--
-- `kept_form` is the form of kept ends that the caller writes. A row that is held for longer than `lock_wait_ms` fails the call.
CREATE OR REPLACE FUNCTION complete_tasks(items jsonb, kept_form int, lock_wait_ms int) RETURNS TABLE (
  task_id text, delivery_id text, overrun bigint, freed_of_key text, status text, family text, model text, is_test boolean,
  channel_id text, settled_nano bigint, cost_nano bigint, seconds float8, trace_context text
) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  ids text[] := ARRAY(SELECT i->>'taskId' FROM jsonb_array_elements(items) i);
  endings ending[];
BEGIN
  PERFORM set_config('lock_timeout', lock_wait_ms::text, true);
  PERFORM 1 FROM tasks t WHERE t.id = ANY(ids) AND (t.status IN ('completed', 'failed')) IS NOT TRUE ORDER BY t.id FOR UPDATE;
  endings := judge_endings(items, kept_form);
  PERFORM 1 FROM accounts a WHERE a.id = ANY(ARRAY(SELECT e.account_id FROM unnest(endings) e)) ORDER BY a.id FOR UPDATE;
  PERFORM 1 FROM api_keys k WHERE k.id = ANY(ARRAY(SELECT e.key_id FROM unnest(endings) e)) ORDER BY k.id FOR UPDATE;
  PERFORM settle_endings(endings);
  PERFORM write_endings(endings);
  PERFORM end_attempts(endings);
  RETURN QUERY
  SELECT e.task_id, CASE WHEN e.webhook IS NOT NULL THEN e.delivery_id END, e.overrun_nano,
    CASE WHEN e.had_slot THEN (SELECT k.id FROM api_keys k WHERE k.id = e.key_id AND k.max_concurrent IS NOT NULL) END,
    e.end_status, e.family, e.model, e.is_test, e.paid_channel_id, e.settled_nano, e.vendor_cost_nano,
    extract(epoch FROM now() - e.created_at)::float8, e.trace_context
  FROM unnest(endings) e;
END $$;

-- The sum that vendors charged for a task's refused jobs, in nano-units; null: one of them is not known.
CREATE OR REPLACE FUNCTION cost_of_refused_attempts(wanted_task text) RETURNS bigint LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (
    SELECT CASE WHEN bool_or(a.cost_nano IS NULL) THEN NULL ELSE coalesce(sum(a.cost_nano), 0)::bigint END
    FROM task_attempts a WHERE a.task_id = wanted_task AND a.state = 'refused'
  );
END $$;

-- The deadline of a task as its first attempt begins. One that must begin by some time was given what its work may take beyond that time, and
-- loses what is left of it; a later attempt changes nothing. 0.1.0 counted the work's time from the submission: a task that it booked keeps a deadline
-- that comes before its time to begin, and loses what it did not wait otherwise.
CREATE OR REPLACE FUNCTION deadline_once_begun(deadline timestamptz, start_by timestamptz) RETURNS timestamptz LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN deadline > start_by THEN deadline - (start_by - now()) ELSE deadline END
$$;

-- Holds the money of what was decided: debits accounts and keys, once each, and writes reservations, and entries of the ledger with the balance
-- that each leaves. Their tasks are there.
CREATE OR REPLACE FUNCTION debit_bookings(booked booking[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
UPDATE accounts a SET held_nano = a.held_nano + w.total
  FROM (SELECT b.account_id, sum(b.amount)::bigint AS total FROM unnest(booked) b GROUP BY b.account_id) w WHERE a.id = w.account_id;
UPDATE api_keys k SET held_nano = k.held_nano + w.total
  FROM (SELECT b.key_id, sum(b.amount)::bigint AS total FROM unnest(booked) b GROUP BY b.key_id) w WHERE k.id = w.key_id;
INSERT INTO reservations (task_id, account_id, key_id, family, model, amount_nano, is_test, expires_at)
  SELECT b.task_id, b.account_id, b.key_id, b.fields->>'family', b.fields->>'model', b.amount, b.is_test,
    now() + make_interval(secs => (b.fields->>'deadlineMs')::float8 / 1000)
  FROM unnest(booked) b;
INSERT INTO ledger_entries (account_id, key_id, task_id, kind, amount_nano, balance_after_nano)
  SELECT b.account_id, b.key_id, b.task_id, 'hold', b.amount,
    b.account_balance - sum(b.amount) OVER (PARTITION BY b.account_id ORDER BY b.ordinal)
  FROM unnest(booked) b ORDER BY b.ordinal;
END $$;

-- Ends the attempts of tasks that end: the one that is named as it ended, any other that is open as unknown; and writes those for calls that no
-- attempt was written for. Nobody has to find out what became of a test's: no vendor charges for it.
CREATE OR REPLACE FUNCTION end_attempts(endings ending[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
WITH made AS (
  INSERT INTO task_attempts (id, task_id, number, channel_id, protocol, state, fault, detail, request_ids, usage,
      answer, cost_nano, cost_origin, started_at, ended_at, resolution, resolved_at)
    SELECT c.id, e.task_id, c.number, c."channelId", c.protocol, c.state, c.fault, c.detail, coalesce(c."requestIds", '{}'),
      c.usage, c.answer, c."costNano", c."costOrigin",
      now() - e.kept_for - make_interval(secs => c."beganMsAgo" / 1000), now() - e.kept_for - make_interval(secs => c."endedMsAgo" / 1000),
      CASE WHEN e.is_test AND c.state = 'unknown' THEN 'not_paid' END, CASE WHEN e.is_test AND c.state = 'unknown' THEN now() END
    FROM unnest(endings) e
    CROSS JOIN LATERAL jsonb_to_recordset(e.calls)
      AS c(id text, number int, "channelId" text, protocol text, state text, fault text, detail text, "requestIds" text[],
        usage jsonb, answer text, "costNano" bigint, "costOrigin" text, "beganMsAgo" float8, "endedMsAgo" float8)
)
UPDATE task_attempts a
  SET state = coalesce(x.state, 'unknown'), fault = x.fault,
    detail = CASE WHEN x.state IS NULL THEN 'the task ended first' ELSE x.detail END,
    resolution = CASE WHEN e.is_test AND coalesce(x.state, 'unknown') = 'unknown' THEN 'not_paid' END,
    resolved_at = CASE WHEN e.is_test AND coalesce(x.state, 'unknown') = 'unknown' THEN now() END,
    usage = x.usage, answer = x.answer, cost_nano = x."costNano", cost_origin = x."costOrigin", ended_at = now(),
    request_ids = a.request_ids || coalesce(x."requestIds", '{}')
  FROM unnest(endings) e JOIN task_attempts o ON o.task_id = e.task_id AND (o.state NOT IN ('starting', 'accepted')) IS NOT TRUE
  LEFT JOIN LATERAL jsonb_to_record(CASE WHEN coalesce(e.attempt->>'id', o.id) = o.id THEN e.attempt END)
    AS x(state text, fault text, detail text, usage jsonb, answer text, "costNano" bigint, "costOrigin" text, "requestIds" text[]) ON true
  WHERE a.id = o.id AND (a.state NOT IN ('starting', 'accepted')) IS NOT TRUE;
END $$;

-- Lists the ids of an account's ended tasks of one model between two ids, the newest first. Without sorts a plan has the order of
-- "tasks_ended_by_model" alone: else one that expects few tasks of an account reads all that it has, by any index that begins with it.
CREATE OR REPLACE FUNCTION ended_tasks_of_model(
  wanted_account text, wanted_family text, wanted_model text, before_id text, from_id text, max_rows int
)
RETURNS SETOF text LANGUAGE plpgsql STABLE
SET enable_sort = off
SET enable_incremental_sort = off
AS $$
BEGIN
  RETURN QUERY
  SELECT t.id FROM tasks t
  WHERE (t.account_id, t.family, t.model, t.id) < (wanted_account, wanted_family, wanted_model, before_id)
    AND (t.account_id, t.family, t.model, t.id) >= (wanted_account, wanted_family, wanted_model, from_id)
    AND t.status IN ('completed', 'failed')
  ORDER BY t.account_id DESC, t.family DESC, t.model DESC, t.id DESC
  LIMIT max_rows;
END $$;

-- SHA-256 of the entries after one, up to another, in the order of their ids; of a settlement with what was held for its task.
CREATE OR REPLACE FUNCTION entries_digest(after_id bigint, up_to_id bigint) RETURNS bytea LANGUAGE sql STABLE AS $$
  SELECT sha256(convert_to(coalesce(string_agg(jsonb_build_array(e.id, e.account_id, e.key_id, e.task_id, e.kind, e.amount_nano, e.reference, e.note,
    e.balance_after_nano, extract(epoch FROM e.created_at), r.amount_nano)::text, ',' ORDER BY e.id), ''), 'UTF8'))
  FROM ledger_entries e
  LEFT JOIN LATERAL (SELECT amount_nano FROM reservations WHERE task_id = e.task_id AND e.kind = 'settle' OFFSET 0) r ON true
  WHERE e.id > after_id AND e.id <= up_to_id
$$;

-- Chooses the undecided submissions that can be paid: in order of arrival, while the money of their account, their key, and the key that made
-- theirs lasts. A quota is for its key and all that this one made. What cannot be paid alone takes nothing from those behind it.
CREATE OR REPLACE FUNCTION fund_bookings(bookings booking[]) RETURNS booking[] LANGUAGE plpgsql AS $$
BEGIN
RETURN ARRAY(
  select f.booking from (
    select b as booking,
      sum(b.amount) over (partition by b.account_id order by b.ordinal) as account_total,
      sum(b.amount) over (partition by b.key_id order by b.ordinal) as key_total,
      sum(b.amount) over (partition by b.owner_id order by b.ordinal) as shared_total
    from unnest(bookings) b
    where b.decision is null and b.is_first_twin and b.amount <= b.account_balance
      and (b.key_available is null or b.amount <= b.key_available)
  ) f
  where f.account_total <= (f.booking).account_balance
    and ((f.booking).own_available is null or f.key_total <= (f.booking).own_available)
    and ((f.booking).shared_available is null or f.shared_total <= (f.booking).shared_available)
  order by (f.booking).ordinal
);
END $$;

-- Marks the submissions that must not be booked: those that were booked before, and those of accounts or keys that may not submit. The others
-- return without a decision, with the money that their account and key have. The caller has locked the rows that decide.
--
-- A task id that exists already is the same submission, sent again because the connection broke around its commit. A submission that
-- continues a parent is refused when that one has ended, or another submission continued it first.
--
-- `is not true` keeps look-ups on primary keys: no partial index matches it, and the plan is made only once. An index over
-- all that is open or alive, chosen while it was small, would be kept while it grows.
CREATE OR REPLACE FUNCTION judge_bookings(
  task_ids text[], account_ids text[], key_ids text[], amounts bigint[], idempotency_key_texts text[], request_hashes bytea[], payloads text[]
) RETURNS booking[] LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
RETURN ARRAY(
  with sent as materialized (
    select i.*, i.payload::jsonb as fields
    from unnest(task_ids, account_ids, key_ids, amounts, idempotency_key_texts, request_hashes, payloads)
      with ordinality as i(task_id, account_id, key_id, amount, idempotency_key, request_hash, payload, ordinal)
  ),
  account as materialized (
    select a.id, a.state, a.held_nano, a.topped_up_nano - a.held_nano - a.settled_nano as balance
    from accounts a where a.id in (select account_id from sent)
  ),
  api_key as materialized (
    select k.id, k.account_id, k.held_nano, k.max_concurrent, k.is_test, o.id as owner_id,
      k.quota_nano - k.held_nano - k.settled_nano as own_available, shared_quota_left(o) as shared_available
    from api_keys k join api_keys o on o.id = coalesce(k.maker_id, k.id)
    where k.id in (select key_id from sent) and k.revoked_at is null and o.revoked_at is null
      and (least(k.expires_at, o.expires_at) <= now()) is not true
  ),
  judged as materialized (
    select s.*, a.balance, a.held_nano as account_held, k.held_nano as key_held, k.own_available, k.shared_available, k.owner_id, k.is_test,
      k.max_concurrent, t.reserved_nano, e.task_id as earlier_task_id, case when s.fields ? 'continuesParent' then s.fields->>'parentTaskId' end as parent_id,
      case
        when t.id is not null then 'accepted'
        when e.task_id is not null then case when e.request_hash = s.request_hash then 'replayed' else 'conflict' end
        when s.fields ? 'continuesParent' and not may_be_continued(s.fields->>'parentTaskId') then 'continued'
        when a.state <> 'active' then 'account_' || a.state
        when k.id is null then 'key_unknown'
      end as decision
    from sent s
    left join account a on a.id = s.account_id
    left join api_key k on k.id = s.key_id and k.account_id = a.id
    left join lateral (select t.id, t.reserved_nano from tasks t where t.id = s.task_id offset 0) t on true
    left join lateral (
      select x.task_id, x.request_hash from idempotency_keys x
      where x.key_id = s.key_id and x.idempotency_key = s.idempotency_key and (x.expires_at <= now()) is not true offset 0
    ) e on true
  )
  select row(j.ordinal, j.task_id, j.account_id, j.key_id, j.owner_id, j.idempotency_key, j.request_hash, j.fields, j.is_test,
    coalesce(j.reserved_nano, amount_to_hold(j.fields, least(j.amount, j.own_available, j.shared_available), j.balance), j.amount),
    j.balance, j.account_held, j.own_available, j.shared_available, least(j.own_available, j.shared_available), j.key_held,
    case when j.fields ?| '{waitsForSlot,queuesForSlot}' then j.max_concurrent end,
    row_number() over (partition by j.decision is null, j.key_id, coalesce(j.idempotency_key, j.task_id) order by j.ordinal) = 1
      and row_number() over (partition by j.decision is null, coalesce(j.parent_id, j.task_id) order by j.ordinal) = 1,
    j.decision, j.earlier_task_id)::booking
  from judged j order by j.ordinal
);
END $$;

-- Finds out how each task ends that is open under its item's fence, by rows that its caller has locked. The others have no ending.
--
-- A refund by anybody but the holder of the fence under which an end was kept (`end_if_abandoned`) gives way to that end. What was used beyond
-- the reservation is never charged: it is an overrun.
--
-- What the vendor charges for the task is what it charges for the call that ended with it: those before were refused. A call
-- without a known end may have been charged, and so may an attempt that was refused after it had been accepted.
--
-- `is not true` keeps look-ups on primary keys, as in `judge_bookings`.
CREATE OR REPLACE FUNCTION judge_endings(items jsonb, kept_form int) RETURNS ending[] LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
RETURN ARRAY(
  with found as materialized (
    select t.*, i."deliveryId" as delivery_id, i.note::jsonb as note, k.kept, case when k.kept ? 'settled' then 'completed' else i.status end as end_status,
      coalesce((k.kept #>> '{settled,costNano}')::bigint, i."costNano") as used_nano, i.result as end_result,
      case when k.kept ? 'settled' then null else i.error end as end_error,
      coalesce(k.kept #> '{settled,usage}', i.usage) as end_usage, coalesce(k.kept #> '{settled,units}', i.units) as units,
      coalesce(nullif(k.kept -> 'attempt', 'null'), i.attempt) as attempt, coalesce(k.kept -> 'calls', i.calls) as calls
    from jsonb_to_recordset(items) as i("taskId" text, fence int, "onlyUnpaid" boolean, status text, "costNano" bigint, units jsonb, result jsonb,
      usage jsonb, error jsonb, "deliveryId" text, attempt jsonb, calls jsonb, note text)
    cross join lateral (select * from tasks t where t.id = i."taskId" offset 0) t
    cross join lateral (
      select case when i.status = 'failed' and (t.end_if_abandoned ->> 'form')::int = kept_form
        and (t.end_if_abandoned ->> 'fence')::int is distinct from i.fence then t.end_if_abandoned end as kept
    ) k
    where (t.status in ('completed', 'failed')) is not true and (i.fence is null or t.fence = i.fence)
      and (not i."onlyUnpaid" or (t.attempt_state is null and not t.run_by_submitter))
  ),
  priced as materialized (
    select f.*, coalesce(f.attempt, f.calls -> -1) as last_call, r.amount_nano as held_nano,
      case f.end_status when 'completed' then least(f.used_nano, r.amount_nano) else 0 end as settled_nano,
      case f.end_status when 'completed' then greatest(f.used_nano - r.amount_nano, 0) else 0 end as overrun_nano
    from found f cross join lateral (
      select r.amount_nano from reservations r where r.task_id = f.id and (r.state <> 'held') is not true offset 0
    ) r
  )
  select row(p.id, p.account_id, p.key_id, p.status, p.end_status, p.family, p.model, p.is_test, p.created_at, p.webhook, p.trace_context,
    not p.awaits_key_slot and not p.parked, p.kept is not null, coalesce(now() - (p.kept ->> 'keptAt')::timestamptz, '0'), p.delivery_id,
    p.end_result, p.end_usage, p.end_error, p.units, p.attempt, p.calls, p.note, p.held_nano, p.settled_nano, p.overrun_nano,
    case
      when p.last_call is not null then (p.last_call ->> 'costNano')::bigint
      when p.attempt_state is null and not (p.run_by_submitter and p.calls is null) then 0
    end + case when p.attempts_made > (p.attempt_state is not null)::int then cost_of_refused_attempts(p.id) else 0 end,
    coalesce(p.last_call ->> 'channelId', p.channel_id))::ending
  from priced p order by p.id
);
END $$;

-- Counts the slots of a key in a family that its open tasks use, no more than the key has: nobody asks how many more there are where a key
-- got its limit while they were open. A task that waits for its caller uses none. `since` names the moment from which a task counts: whoever
-- chooses among tasks must not count those that it chooses among.
--
-- - admitted: let out of its row. Bookings and hand-overs count so: they let tasks out.
-- - enqueued: handed to the queue, or begun. The dispatcher counts so: it chooses among admitted tasks.
-- - begun: claimed. Claims count so: they choose among enqueued tasks.
--
-- It sees what its caller's command sees, so whoever decides by it locks the key in a command before.
CREATE OR REPLACE FUNCTION key_slots_used(wanted_key text, wanted_family text, since text)
RETURNS bigint LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (
    SELECT count(*) FROM (
      SELECT FROM tasks t
      WHERE t.key_id = wanted_key AND t.family = wanted_family AND t.status NOT IN ('completed', 'failed')
        AND NOT t.awaits_key_slot AND NOT t.parked
        AND (since = 'admitted' OR t.status <> 'submitted' OR (since = 'enqueued' AND t.woken_at IS NOT NULL))
      LIMIT (SELECT k.max_concurrent FROM api_keys k WHERE k.id = wanted_key)
    ) used
  );
END $$;

-- Whether a task is open, and no other that has not failed continues it. `is not true` keeps its look-up on the primary key.
CREATE OR REPLACE FUNCTION may_be_continued(parent_id text) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN EXISTS (SELECT FROM tasks p WHERE p.id = parent_id AND (p.status IN ('completed', 'failed')) IS NOT TRUE)
    AND NOT EXISTS (SELECT FROM tasks c WHERE c.parent_task_id = parent_id AND c.status <> 'failed');
END $$;

-- Lists the models of a family of which an account has ended tasks, each found by one look into "tasks_ended_by_model"; why it sorts
-- nothing, `ended_tasks_of_model` says.
CREATE OR REPLACE FUNCTION models_of_ended_tasks(wanted_account text, wanted_family text)
RETURNS SETOF text LANGUAGE plpgsql STABLE
SET enable_sort = off
SET enable_incremental_sort = off
AS $$
DECLARE
  found_model text := '';
BEGIN
  LOOP
    SELECT t.model INTO found_model FROM tasks t
    WHERE (t.account_id, t.family, t.model) > (wanted_account, wanted_family, found_model)
      AND (t.account_id, t.family) <= (wanted_account, wanted_family) AND t.status IN ('completed', 'failed')
    ORDER BY t.account_id, t.family, t.model LIMIT 1;
    EXIT WHEN NOT FOUND;
    RETURN NEXT found_model;
  END LOOP;
END $$;

-- SHA-256 of a month of the ledger: of the digest of the month before, so that the months are a chain, of its bounds, of the digests of its
-- entries, and of its sums.
CREATE OR REPLACE FUNCTION month_digest(closed_month date) RETURNS bytea LANGUAGE sql STABLE AS $$
  SELECT sha256(
    coalesce((SELECT b.digest FROM closed_months b WHERE b.month < c.month ORDER BY b.month DESC LIMIT 1), '')
    || convert_to(jsonb_build_array(to_char(c.month, 'YYYY-MM'), c.after_entry_id, c.up_to_entry_id, (
      SELECT string_agg(encode(p.digest, 'hex'), ',' ORDER BY p.place) FROM unnest(c.piece_digests) WITH ORDINALITY p(digest, place)), (
      SELECT string_agg(jsonb_build_array(s.account_id, s.key_id, s.entries, s.topped_up_nano, s.adjusted_nano, s.held_nano, s.settled_nano,
        s.released_nano, s.refunded_nano)::text, ',' ORDER BY s.account_id COLLATE "C", s.key_id COLLATE "C")
      FROM month_seals s WHERE s.month = c.month))::text, 'UTF8'))
  FROM closed_months c WHERE c.month = closed_month
$$;

-- Removes the next reservations and entries of tasks that ended in a closed month, of the oldest one that ended `retention_months` ago and has
-- any left: those whose end is among the next `max_entries`. Answers the month, and how many rows of the ledger it removed, or the obstacle and
-- a task that is one: `tasks_kept`, the record of one of its tasks is there; `not_summed`, one of its reservations is in no sum of a day. No
-- row: there is no such month. A later month never goes before an older one.
--
-- Both obstacles are looked for up to two hours after the month's end: bookings of just after it may be its own, and the id of a task is within
-- an hour of its booking. Payments, corrections, and all entries of a task that was refunded by hand stay. The row of `usage_progress` is
-- locked first: who refunds a task by hand has it, too.
CREATE OR REPLACE FUNCTION prune_books(retention_months int, max_entries bigint)
RETURNS TABLE (month text, removed bigint, obstacle text, task_id text) LANGUAGE plpgsql AS $$
DECLARE
  last_summed text;
  piece closed_months;
  later_id text;
  upper_id bigint;
  ended text[];
BEGIN
SELECT p.summed_to INTO STRICT last_summed FROM usage_progress p FOR UPDATE;
SELECT c.* INTO piece FROM closed_months c
  WHERE c.digest IS NOT NULL AND c.pruned_to < c.up_to_entry_id
    AND (c.month + interval '1 month') AT TIME ZONE 'UTC' <= now() - make_interval(months => retention_months)
  ORDER BY c.month LIMIT 1 FOR UPDATE;
IF NOT FOUND THEN
  RETURN;
END IF;
month := to_char(piece.month, 'YYYY-MM');
later_id := 'task_' || first_id_at((piece.month + interval '1 month') AT TIME ZONE 'UTC' + interval '2 hours');
SELECT t.id INTO task_id FROM tasks t WHERE t.id < later_id ORDER BY t.id LIMIT 1;
obstacle := CASE WHEN FOUND THEN 'tasks_kept' END;
IF obstacle IS NULL THEN
  SELECT r.task_id INTO task_id FROM reservations r WHERE r.task_id > last_summed AND r.task_id < later_id ORDER BY r.task_id LIMIT 1;
  obstacle := CASE WHEN FOUND THEN 'not_summed' END;
END IF;
IF obstacle IS NULL THEN
  upper_id := least(piece.pruned_to + max_entries, piece.up_to_entry_id);
  ended := ARRAY(
    SELECT e.task_id FROM ledger_entries e WHERE e.id > piece.pruned_to AND e.id <= upper_id AND e.kind IN ('settle', 'refund')
      AND NOT EXISTS (SELECT FROM ledger_entries a WHERE a.task_id = e.task_id AND a.kind = 'adjust')
  );
  DELETE FROM reservations r WHERE r.task_id = ANY(ended);
  DELETE FROM ledger_entries l WHERE l.task_id = ANY(ended) AND l.kind IN ('hold', 'settle', 'refund');
  GET DIAGNOSTICS removed = ROW_COUNT;
  UPDATE closed_months c SET pruned_to = upper_id WHERE c.month = piece.month;
END IF;
RETURN NEXT;
END $$;

-- Trigger of the ledger: refuses removals of all but entries of tasks in closed months, whose sums are sealed.
CREATE OR REPLACE FUNCTION refuse_unsealed_removal() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (
    SELECT FROM removed e WHERE e.kind NOT IN ('hold', 'settle', 'refund')
      OR e.id > (SELECT coalesce(max(c.up_to_entry_id), 0) FROM closed_months c WHERE c.digest IS NOT NULL)
  ) THEN
    RAISE EXCEPTION 'ledger_entries is append-only: of closed months alone the entries of tasks are removed';
  END IF;
  RETURN NULL;
END $$;

-- Moves the money of tasks that end, of each whose reservation is still held: reservations, accounts and keys, once each, entries of the ledger,
-- and overruns, the platform's loss.
--
-- An entry's balance is what the account has once all of its tasks here have moved, without what the later ones gave back.
-- Ids of entries are drawn under the account's lock, so that in their order each balance follows from the one before.
CREATE OR REPLACE FUNCTION settle_endings(endings ending[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
WITH resolved AS (
  UPDATE reservations r SET state = CASE e.end_status WHEN 'completed' THEN 'settled' ELSE 'refunded' END,
    settled_nano = CASE e.end_status WHEN 'completed' THEN e.settled_nano END, units = e.units, resolved_at = now(),
    channel_id = e.paid_channel_id, cost_nano = e.vendor_cost_nano
  FROM unnest(endings) e WHERE r.task_id = e.task_id AND (r.state <> 'held') IS NOT TRUE
  RETURNING e.task_id, e.account_id, e.key_id, e.end_status, e.held_nano, e.settled_nano, e.overrun_nano
),
account AS (
  UPDATE accounts a SET held_nano = a.held_nano - m.held, settled_nano = a.settled_nano + m.settled
  FROM (
    SELECT e.account_id, sum(e.held_nano)::bigint AS held, sum(e.settled_nano)::bigint AS settled FROM resolved e GROUP BY e.account_id
  ) m
  WHERE a.id = m.account_id RETURNING a.id, a.topped_up_nano - a.held_nano - a.settled_nano AS balance
),
balances AS MATERIALIZED (SELECT jsonb_object_agg(a.id, a.balance) AS by_account FROM account a),
api_key AS (
  UPDATE api_keys k SET held_nano = k.held_nano - m.held, settled_nano = k.settled_nano + m.settled
  FROM (
    SELECT e.key_id, sum(e.held_nano)::bigint AS held, sum(e.settled_nano)::bigint AS settled FROM resolved e GROUP BY e.key_id
  ) m
  WHERE k.id = m.key_id
),
overrun AS (
  INSERT INTO overruns (task_id, amount_nano) SELECT e.task_id, e.overrun_nano FROM resolved e WHERE e.overrun_nano > 0
)
INSERT INTO ledger_entries (account_id, key_id, task_id, kind, amount_nano, balance_after_nano)
SELECT e.account_id, e.key_id, e.task_id, CASE e.end_status WHEN 'completed' THEN 'settle' ELSE 'refund' END,
  CASE e.end_status WHEN 'completed' THEN e.settled_nano ELSE e.held_nano END,
  (b.by_account ->> e.account_id)::bigint - coalesce(sum(e.held_nano - e.settled_nano) OVER (
    PARTITION BY e.account_id ORDER BY e.task_id ROWS BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING), 0)
FROM resolved e CROSS JOIN balances b ORDER BY e.task_id;
END $$;

-- Writes the tasks of what was decided, with their labels. `awaiting` has the ordinals of those that await a slot of their key.
--
-- The task of whoever sets `runsHere` is processed by the process that submits it, under a lease; its next step is its
-- deadline. That of whoever sets `begun` has the claim of the worker that it is handed to, and the intent of its first attempt,
-- as if the worker had written both: APIs of 0.1.0 send it, which run beside the release that follows, and the one after that
-- drops it. Whoever sets `expiresInSeconds` must have been begun by then.
CREATE OR REPLACE FUNCTION write_booked_tasks(booked booking[], awaiting bigint[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
INSERT INTO tasks (id, account_id, key_id, family, kind, model, operation, input, rates, catalogue_version, warnings,
    webhook, language, parent_task_id, request_id, reserved_nano, deadline_at, next_step_at, status, started_at,
    run_by_submitter, lease_until, metadata, start_by, is_test, trace_context, fence, attempt_id, attempt_state, channel_id,
    attempts_made, awaits_key_slot, woken_at, listener)
  SELECT b.task_id, b.account_id, b.key_id, f->>'family', f->>'kind', f->>'model', f->>'operation',
    f->'input', f->'rates', (f->>'catalogueVersion')::int, array(SELECT jsonb_array_elements_text(f->'warnings')),
    f->>'webhook', f->>'language', f->>'parentTaskId', f->>'requestId', b.amount, n.deadline,
    CASE WHEN f ? 'runsHere' OR n.awaits THEN n.deadline ELSE now() END,
    CASE WHEN f ? 'runsHere' THEN 'processing' WHEN f ? 'begun' THEN 'pending' ELSE 'submitted' END,
    CASE WHEN f ?| '{runsHere,begun}' THEN now() END,
    f ? 'runsHere', now() + make_interval(secs => (f->>'leaseMs')::float8 / 1000),
    f->'metadata', now() + make_interval(secs => (f->>'expiresInSeconds')::int), b.is_test,
    f->>'traceContext', (f ? 'begun')::int, f#>>'{begun,attemptId}',
    CASE WHEN f ? 'begun' THEN 'starting' END, f#>>'{begun,channelId}', (f ? 'begun')::int,
    n.awaits, CASE WHEN n.awaits THEN now() END, f->'listener'
  FROM unnest(booked) b CROSS JOIN LATERAL (SELECT b.fields) AS of(f)
  CROSS JOIN LATERAL (
    SELECT now() + make_interval(secs => (f->>'deadlineMs')::float8 / 1000) AS deadline, b.ordinal = ANY(coalesce(awaiting, '{}')) AS awaits
  ) n;
INSERT INTO task_attempts (id, task_id, number, channel_id, protocol, state)
  SELECT b.fields#>>'{begun,attemptId}', b.task_id, 1, b.fields#>>'{begun,channelId}', b.fields#>>'{begun,protocol}', 'starting'
  FROM unnest(booked) b WHERE b.fields ? 'begun';
INSERT INTO task_labels (account_id, label_hash, task_id)
  SELECT b.account_id, l.label_hash, b.task_id
  FROM unnest(booked) b CROSS JOIN LATERAL task_label_hashes(b.fields->'metadata') AS l(label_hash) WHERE b.fields ? 'metadata';
END $$;

-- Writes the end of tasks into their rows, the rows of their callbacks, and the notes of operators.
--
-- A task that ends as its process kept it takes the next fence: whoever completes the task itself, for more, must not find its own fence there.
CREATE OR REPLACE FUNCTION write_endings(endings ending[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
WITH delivery AS (
  INSERT INTO webhook_deliveries (id, task_id, account_id, url, trace_context)
    SELECT e.delivery_id, e.task_id, e.account_id, e.webhook, e.trace_context FROM unnest(endings) e WHERE e.webhook IS NOT NULL
),
noted AS (
  INSERT INTO audit_log (actor, action, subject, detail, idempotency_key, request_hash)
    SELECT n.actor, n.action, e.task_id, jsonb_strip_nulls(jsonb_build_object('reason', n.reason)) || jsonb_build_object(
        'before', jsonb_build_object('status', e.former_status),
        'after', jsonb_build_object('status', e.end_status, 'refunded_nano', (e.held_nano - e.settled_nano)::text,
          'delivery_id', CASE WHEN e.webhook IS NOT NULL THEN e.delivery_id END)),
      n.key, decode(n.hash, 'hex')
    FROM unnest(endings) e
    CROSS JOIN LATERAL jsonb_to_record(e.note) AS n(actor text, action text, reason text, key text, hash text)
    WHERE e.note IS NOT NULL
)
UPDATE tasks t SET status = e.end_status, fence = CASE WHEN e.is_kept_end THEN next_fence(t.fence) ELSE t.fence END, progress = 100,
    completed_at = now(), cost_nano = e.settled_nano, result = e.result, usage = e.usage, error = e.error, lease_until = NULL,
    attempt_state = NULL, upstream_operation = NULL, end_if_abandoned = NULL, listener = NULL,
    channel_id = coalesce(e.calls #>> '{-1,channelId}', t.channel_id),
    attempts_made = t.attempts_made + coalesce(jsonb_array_length(e.calls), 0)
  FROM unnest(endings) e WHERE t.id = e.task_id;
END $$;

ALTER TABLE "ledger_entries" SET (autovacuum_vacuum_scale_factor = 0.02);

DROP TRIGGER "ledger_entries_append_only" ON "ledger_entries";
CREATE TRIGGER "ledger_entries_append_only" BEFORE UPDATE ON "ledger_entries"
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER "ledger_entries_kept_unless_sealed" AFTER DELETE ON "ledger_entries"
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION refuse_unsealed_removal();
