-- CreateTable
CREATE TABLE "accounts" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "topped_up_nano" BIGINT NOT NULL DEFAULT 0,
    "held_nano" BIGINT NOT NULL DEFAULT 0,
    "settled_nano" BIGINT NOT NULL DEFAULT 0,
    "webhook_secret" TEXT NOT NULL,
    "previous_webhook_secret" TEXT,
    "webhook_secret_retires_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "accounts_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "api_keys" (
    "id" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "name" TEXT NOT NULL DEFAULT '',
    "secret_hash" BYTEA NOT NULL,
    "last_four" TEXT NOT NULL,
    "quota_nano" BIGINT,
    "held_nano" BIGINT NOT NULL DEFAULT 0,
    "settled_nano" BIGINT NOT NULL DEFAULT 0,
    "families" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "models" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "submit_per_minute" INTEGER NOT NULL DEFAULT 300,
    "query_per_minute" INTEGER NOT NULL DEFAULT 3000,
    "max_concurrent" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "api_keys_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "tasks" (
    "id" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "key_id" TEXT NOT NULL,
    "family" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "model" TEXT NOT NULL,
    "operation" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'submitted',
    "progress" INTEGER NOT NULL DEFAULT 0,
    "input" JSONB NOT NULL,
    "rates" JSONB NOT NULL,
    "catalogue_version" INTEGER NOT NULL,
    "warnings" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "webhook" TEXT,
    "language" TEXT,
    "parent_task_id" TEXT,
    "request_id" TEXT,
    "reserved_nano" BIGINT NOT NULL,
    "cost_nano" BIGINT,
    "usage" JSONB,
    "result" JSONB,
    "error" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "started_at" TIMESTAMPTZ(3),
    "completed_at" TIMESTAMPTZ(3),
    "fence" INTEGER NOT NULL DEFAULT 0,
    "lease_until" TIMESTAMPTZ(3),
    "next_step_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "woken_at" TIMESTAMPTZ(3),
    "deadline_at" TIMESTAMPTZ(3) NOT NULL,
    "failed_steps" INTEGER NOT NULL DEFAULT 0,
    "attempt_id" TEXT,
    "attempt_state" TEXT,
    "attempts_made" INTEGER NOT NULL DEFAULT 0,
    "channel_id" TEXT,
    "upstream_operation" JSONB,
    "tried_channels" TEXT[] DEFAULT ARRAY[]::TEXT[],

    CONSTRAINT "tasks_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "task_attempts" (
    "id" TEXT NOT NULL,
    "task_id" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "channel_id" TEXT NOT NULL,
    "protocol" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "external_id" TEXT,
    "operation" JSONB,
    "fault" TEXT,
    "detail" TEXT,
    "request_ids" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "usage" JSONB,
    "started_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "task_attempts_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "reservations" (
    "task_id" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "key_id" TEXT NOT NULL,
    "amount_nano" BIGINT NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'held',
    "settled_nano" BIGINT,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "resolved_at" TIMESTAMPTZ(3),

    CONSTRAINT "reservations_pkey" PRIMARY KEY ("task_id")
);

-- CreateTable
CREATE TABLE "ledger_entries" (
    "id" BIGSERIAL NOT NULL,
    "account_id" TEXT NOT NULL,
    "key_id" TEXT,
    "task_id" TEXT,
    "kind" TEXT NOT NULL,
    "amount_nano" BIGINT NOT NULL,
    "reference" TEXT,
    "note" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "ledger_entries_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "overruns" (
    "task_id" TEXT NOT NULL,
    "amount_nano" BIGINT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "overruns_pkey" PRIMARY KEY ("task_id")
);

-- CreateTable
CREATE TABLE "idempotency_keys" (
    "key_id" TEXT NOT NULL,
    "idempotency_key" TEXT NOT NULL,
    "request_hash" BYTEA NOT NULL,
    "task_id" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "idempotency_keys_pkey" PRIMARY KEY ("key_id","idempotency_key")
);

-- CreateTable
CREATE TABLE "webhook_deliveries" (
    "id" TEXT NOT NULL,
    "task_id" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "body" TEXT,
    "state" TEXT NOT NULL DEFAULT 'pending',
    "reason" TEXT,
    "attempts_made" INTEGER NOT NULL DEFAULT 0,
    "fence" INTEGER NOT NULL DEFAULT 0,
    "lease_until" TIMESTAMPTZ(3),
    "next_attempt_at" TIMESTAMPTZ(3) DEFAULT CURRENT_TIMESTAMP,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "webhook_deliveries_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "webhook_attempts" (
    "delivery_id" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "ended_at" TIMESTAMPTZ(3),
    "http_status" INTEGER,
    "error" TEXT,
    "excerpt" TEXT,

    CONSTRAINT "webhook_attempts_pkey" PRIMARY KEY ("delivery_id","number")
);

-- CreateTable
CREATE TABLE "media_objects" (
    "id" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "task_id" TEXT,
    "purpose" TEXT NOT NULL,
    "storage_key" TEXT NOT NULL,
    "content_type" TEXT NOT NULL,
    "bytes" BIGINT NOT NULL,
    "sha256" BYTEA NOT NULL,
    "width" INTEGER,
    "height" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "media_objects_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "audit_log" (
    "id" BIGSERIAL NOT NULL,
    "actor" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "detail" JSONB NOT NULL DEFAULT '{}',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "audit_log_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "api_keys_account_id_idx" ON "api_keys"("account_id");

-- CreateIndex
CREATE INDEX "tasks_account_id_created_at_idx" ON "tasks"("account_id", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "task_attempts_task_id_number_key" ON "task_attempts"("task_id", "number");

-- CreateIndex
CREATE UNIQUE INDEX "task_attempts_channel_id_external_id_key" ON "task_attempts"("channel_id", "external_id");

-- CreateIndex
CREATE INDEX "reservations_account_id_idx" ON "reservations"("account_id");

-- CreateIndex
CREATE INDEX "reservations_key_id_idx" ON "reservations"("key_id");

-- CreateIndex
CREATE UNIQUE INDEX "ledger_entries_reference_key" ON "ledger_entries"("reference");

-- CreateIndex
CREATE INDEX "ledger_entries_account_id_id_idx" ON "ledger_entries"("account_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "ledger_entries_task_id_kind_key" ON "ledger_entries"("task_id", "kind");

-- CreateIndex
CREATE INDEX "idempotency_keys_expires_at_idx" ON "idempotency_keys"("expires_at");

-- CreateIndex
CREATE UNIQUE INDEX "webhook_deliveries_task_id_key" ON "webhook_deliveries"("task_id");

-- CreateIndex
CREATE INDEX "webhook_deliveries_account_id_created_at_idx" ON "webhook_deliveries"("account_id", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "media_objects_storage_key_key" ON "media_objects"("storage_key");

-- CreateIndex
CREATE INDEX "media_objects_task_id_idx" ON "media_objects"("task_id");

-- AddForeignKey
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What Prisma's language cannot say: limits, partial indexes, append-only tables, terminal states.

ALTER TABLE "accounts"
  ADD CONSTRAINT "accounts_held_not_negative" CHECK (held_nano >= 0),
  ADD CONSTRAINT "accounts_settled_not_negative" CHECK (settled_nano >= 0),
  ADD CONSTRAINT "accounts_balance_not_negative" CHECK (topped_up_nano - held_nano - settled_nano >= 0);

ALTER TABLE "api_keys"
  ADD CONSTRAINT "api_keys_held_not_negative" CHECK (held_nano >= 0),
  ADD CONSTRAINT "api_keys_settled_not_negative" CHECK (settled_nano >= 0),
  ADD CONSTRAINT "api_keys_within_quota" CHECK (quota_nano IS NULL OR quota_nano - held_nano - settled_nano >= 0);

-- Their rows change with every task and no index covers what changes: room on the page keeps those updates in place.
ALTER TABLE "accounts" SET (fillfactor = 50);
ALTER TABLE "api_keys" SET (fillfactor = 50);
ALTER TABLE "tasks" SET (fillfactor = 80);

ALTER TABLE "tasks"
  ADD CONSTRAINT "tasks_status_known" CHECK (status IN ('submitted', 'pending', 'processing', 'completed', 'failed')),
  ADD CONSTRAINT "tasks_progress_range" CHECK (progress BETWEEN 0 AND 100),
  ADD CONSTRAINT "tasks_attempt_state_known" CHECK (attempt_state IN ('starting', 'accepted')),
  ADD CONSTRAINT "tasks_ended_whole" CHECK (
    (status IN ('completed', 'failed')) = (completed_at IS NOT NULL)
    AND (status = 'completed') = (result IS NOT NULL)
    AND (status = 'failed') = (error IS NOT NULL)
    AND (completed_at IS NULL OR progress = 100)
  );

ALTER TABLE "reservations"
  ADD CONSTRAINT "reservations_amount_not_negative" CHECK (amount_nano >= 0),
  ADD CONSTRAINT "reservations_state_whole" CHECK (
    (state = 'held' AND settled_nano IS NULL AND resolved_at IS NULL)
    OR (state = 'settled' AND settled_nano BETWEEN 0 AND amount_nano AND resolved_at IS NOT NULL)
    OR (state = 'refunded' AND settled_nano IS NULL AND resolved_at IS NOT NULL)
  );

ALTER TABLE "ledger_entries"
  ADD CONSTRAINT "ledger_entries_kind_known" CHECK (kind IN ('top_up', 'hold', 'settle', 'refund', 'adjust')),
  ADD CONSTRAINT "ledger_entries_amount_sign" CHECK (kind = 'adjust' OR amount_nano >= 0),
  ADD CONSTRAINT "ledger_entries_task_where_due" CHECK ((kind IN ('hold', 'settle', 'refund')) = (task_id IS NOT NULL));

-- A reservation ends once: settled or refunded, never both, never twice.
CREATE UNIQUE INDEX "ledger_entries_resolved_once" ON "ledger_entries" (task_id) WHERE kind IN ('settle', 'refund');

ALTER TABLE "task_attempts"
  ADD CONSTRAINT "task_attempts_state_known" CHECK (state IN ('starting', 'accepted', 'succeeded', 'refused', 'unknown'));

ALTER TABLE "webhook_deliveries"
  ADD CONSTRAINT "webhook_deliveries_state_known"
    CHECK (state IN ('pending', 'delivered', 'rejected', 'exhausted', 'dropped'));

CREATE INDEX "tasks_due" ON "tasks" (next_step_at) WHERE status NOT IN ('completed', 'failed');
CREATE INDEX "tasks_deadline" ON "tasks" (deadline_at) WHERE status NOT IN ('completed', 'failed');
CREATE INDEX "tasks_open_by_key" ON "tasks" (key_id, family, status, id) WHERE status NOT IN ('completed', 'failed');
CREATE INDEX "task_attempts_open_by_channel" ON "task_attempts" (channel_id) WHERE state IN ('starting', 'accepted');
CREATE INDEX "reservations_held" ON "reservations" (expires_at) WHERE state = 'held';
CREATE INDEX "webhook_deliveries_due" ON "webhook_deliveries" (next_attempt_at) WHERE state = 'pending';
CREATE INDEX "media_objects_expiry" ON "media_objects" (expires_at) WHERE deleted_at IS NULL;

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME;
END $$;

CREATE TRIGGER ledger_entries_append_only BEFORE UPDATE OR DELETE ON "ledger_entries"
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE FUNCTION refuse_terminal_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'task % has ended and never changes', OLD.id;
END $$;

CREATE TRIGGER tasks_terminal_is_final BEFORE UPDATE ON "tasks"
  FOR EACH ROW WHEN (OLD.status IN ('completed', 'failed')) EXECUTE FUNCTION refuse_terminal_change();

CREATE FUNCTION refuse_backward_step() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'task % cannot go from % to %', OLD.id, OLD.status, NEW.status;
END $$;

CREATE TRIGGER tasks_status_forward BEFORE UPDATE ON "tasks"
  FOR EACH ROW WHEN (
    array_position(ARRAY['submitted', 'pending', 'processing', 'completed', 'failed'], OLD.status)
    > array_position(ARRAY['submitted', 'pending', 'processing', 'completed', 'failed'], NEW.status)
    OR NEW.progress < OLD.progress
  ) EXECUTE FUNCTION refuse_backward_step();

-- Claims one task of a key with a concurrency limit. Each command of a function sees what was committed before it began,
-- so the count is taken after the key's lock and two claims never pass on the same count. Locks: task, then key.
CREATE FUNCTION claim_limited_task(wanted_task text, lease_seconds float8) RETURNS SETOF tasks LANGUAGE plpgsql AS $$
DECLARE
  due tasks;
  allowed int;
BEGIN
  SELECT * INTO due FROM tasks t
  WHERE t.id = wanted_task AND t.status NOT IN ('completed', 'failed')
    AND (t.lease_until IS NULL OR t.lease_until < now())
  FOR UPDATE;
  IF NOT FOUND THEN RETURN; END IF;
  SELECT k.max_concurrent INTO allowed FROM api_keys k WHERE k.id = due.key_id FOR UPDATE;
  IF due.status = 'submitted' AND allowed IS NOT NULL AND allowed <= (
    SELECT count(*) FROM tasks t
    WHERE t.key_id = due.key_id AND t.family = due.family AND t.status IN ('pending', 'processing')
      AND t.status NOT IN ('completed', 'failed')
  ) THEN RETURN; END IF;
  RETURN QUERY UPDATE tasks t
    SET fence = t.fence + 1, lease_until = now() + make_interval(secs => lease_seconds),
      status = CASE t.status WHEN 'submitted' THEN 'pending' ELSE t.status END,
      started_at = coalesce(t.started_at, now())
    WHERE t.id = wanted_task RETURNING t.*;
END $$;

-- Writes the intent of an attempt if the channel has a place free, counted over all processes under a lock of the channel.
CREATE FUNCTION begin_limited_attempt(
  wanted_task text, held_fence int, new_attempt text, wanted_channel text, wanted_protocol text, max_open int
) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  attempt_number int;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('channel:' || wanted_channel, 0));
  IF max_open <= (
    SELECT count(*) FROM task_attempts a WHERE a.channel_id = wanted_channel AND a.state IN ('starting', 'accepted')
  ) THEN RETURN 'at_capacity'; END IF;
  UPDATE tasks t SET attempt_id = new_attempt, attempt_state = 'starting', channel_id = wanted_channel,
    upstream_operation = NULL, attempts_made = t.attempts_made + 1
    WHERE t.id = wanted_task AND t.fence = held_fence AND t.status NOT IN ('completed', 'failed')
    RETURNING t.attempts_made INTO attempt_number;
  IF NOT FOUND THEN RETURN 'lost'; END IF;
  INSERT INTO task_attempts (id, task_id, number, channel_id, protocol, state)
    VALUES (new_attempt, wanted_task, attempt_number, wanted_channel, wanted_protocol, 'starting');
  RETURN 'begun';
END $$;

-- Any number of submissions, decided and booked in one call, which is one transaction. Reading order is execution order:
--
-- 1. Accounts, then keys, are locked in id order, so two batches never wait for each other in a circle. Each command of a
--    function sees what was committed before it began: all that follows is decided on what the last holder of the locks
--    left behind, never on what stood there before. An account whose row somebody holds for long fails the batch after
--    lock_wait_ms, and its company is then submitted without it.
-- 2. A submission that cannot be paid alone is refused. Of the others, each account's and key's are funded in order of
--    arrival for as long as the money lasts; whoever comes after is left undecided and asked again, because a running
--    total must not refuse a small task for a larger one's sake. The first of every account is always decided.
-- 3. Funded ones with an idempotency key must also win its row; twins in the batch do not, and find the winner when asked
--    again.
-- 4. Winners are debited, once per account and key, and written: task, reservation, ledger entry.
--
-- A task id that exists already is this very submission, sent again because the connection broke around its commit.
-- The arrays are of one length; idempotency keys and hashes may be null; a payload holds the task's other columns.
CREATE FUNCTION submit_tasks(
  task_ids text[], account_ids text[], key_ids text[], amounts bigint[], idempotency_key_texts text[],
  request_hashes bytea[], payloads text[], idempotency_seconds int, lock_wait_ms int
) RETURNS TABLE (decision text, earlier_task_id text, earlier_warnings text[]) LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
PERFORM set_config('lock_timeout', lock_wait_ms::text, true);
PERFORM 1 FROM accounts a WHERE a.id = ANY(account_ids) ORDER BY a.id FOR UPDATE;
PERFORM 1 FROM api_keys k WHERE k.id = ANY(key_ids) ORDER BY k.id FOR UPDATE;
RETURN QUERY
with item as materialized (
  select i.ordinal, i.task_id, i.account_id, i.key_id, i.amount, i.idempotency_key, i.request_hash, i.payload
  from unnest(task_ids, account_ids, key_ids, amounts, idempotency_key_texts, request_hashes, payloads)
    with ordinality as i(task_id, account_id, key_id, amount, idempotency_key, request_hash, payload, ordinal)
),
account as materialized (
  select a.id, a.topped_up_nano - a.held_nano - a.settled_nano as available
  from accounts a where a.id in (select account_id from item)
),
api_key as materialized (
  select k.id, k.account_id, k.quota_nano - k.held_nano - k.settled_nano as available
  from api_keys k
  where k.id in (select key_id from item) and k.revoked_at is null
),
known as materialized (
  select t.id from tasks t where t.id = any(task_ids)
),
earlier as materialized (
  select i.ordinal, x.task_id, x.request_hash = i.request_hash as same_request
  from item i
  join idempotency_keys x on x.key_id = i.key_id and x.idempotency_key = i.idempotency_key
  where x.expires_at > now()
),
candidate as materialized (
  select i.*, a.available as account_available, k.available as key_available,
    row_number() over (partition by i.key_id, coalesce(i.idempotency_key, i.task_id) order by i.ordinal) = 1 as first_twin
  from item i
  join account a on a.id = i.account_id
  join api_key k on k.id = i.key_id and k.account_id = a.id
  where i.task_id not in (select id from known) and i.ordinal not in (select ordinal from earlier)
),
funded as materialized (
  select * from (
    select c.*,
      sum(c.amount) over (partition by c.account_id order by c.ordinal) as account_total,
      sum(c.amount) over (partition by c.key_id order by c.ordinal) as key_total
    from candidate c
    where c.first_twin and c.amount <= c.account_available
      and (c.key_available is null or c.amount <= c.key_available)
  ) c
  where c.account_total <= c.account_available and (c.key_available is null or c.key_total <= c.key_available)
),
claimed as (
  insert into idempotency_keys as x (key_id, idempotency_key, request_hash, task_id, expires_at)
  select f.key_id, f.idempotency_key, f.request_hash, f.task_id, now() + make_interval(secs => idempotency_seconds)
  from funded f where f.idempotency_key is not null
  order by f.key_id, f.idempotency_key
  on conflict (key_id, idempotency_key) do update
    set request_hash = excluded.request_hash, task_id = excluded.task_id, expires_at = excluded.expires_at
    where x.expires_at <= now()
  returning x.task_id
),
winner as materialized (
  select f.*, f.payload::jsonb as fields
  from funded f
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
    webhook, language, parent_task_id, request_id, reserved_nano, deadline_at)
  select w.task_id, w.account_id, w.key_id, fields->>'family', fields->>'kind', fields->>'model', fields->>'operation',
    fields->'input', fields->'rates', (fields->>'catalogueVersion')::int,
    array(select jsonb_array_elements_text(fields->'warnings')),
    fields->>'webhook', fields->>'language', fields->>'parentTaskId', fields->>'requestId', w.amount,
    now() + make_interval(secs => (fields->>'deadlineMs')::float8 / 1000)
  from winner w
),
reservation as (
  insert into reservations (task_id, account_id, key_id, amount_nano, expires_at)
  select w.task_id, w.account_id, w.key_id, w.amount,
    now() + make_interval(secs => (fields->>'deadlineMs')::float8 / 1000)
  from winner w
),
entry as (
  insert into ledger_entries (account_id, key_id, task_id, kind, amount_nano)
  select w.account_id, w.key_id, w.task_id, 'hold', w.amount from winner w
)
select
  case
    when i.task_id in (select id from known) then 'accepted'
    when e.ordinal is not null then case when e.same_request then 'replayed' else 'conflict' end
    when c.ordinal is null then 'key_unknown'
    when i.task_id in (select task_id from winner) then 'accepted'
    when not c.first_twin then 'undecided'
    when c.amount > c.account_available then 'insufficient_account'
    when c.amount > c.key_available then 'insufficient_key'
    else 'undecided'
  end as decision,
  e.task_id as earlier_task_id,
  (select t.warnings from tasks t where t.id = e.task_id) as earlier_warnings
from item i
left join earlier e on e.ordinal = i.ordinal
left join candidate c on c.ordinal = i.ordinal
order by i.ordinal;
END $$;
