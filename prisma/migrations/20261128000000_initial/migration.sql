-- All tables of 0.1.0, in alphabetical order, each with its indexes; then foreign keys, functions, triggers, and the rows that a
-- database begins with. prisma/schema.prisma says what the columns mean, prisma/functions holds the functions. Constraints,
-- partial indexes, storage settings and triggers, which neither can say, stand here.

-- Every task writes the row of its account, and no index covers what it writes: room on half of each page keeps those updates in
-- place.
CREATE TABLE "accounts" (
  "id" text NOT NULL,
  "name" text NOT NULL,
  "topped_up_nano" bigint NOT NULL DEFAULT 0,
  "held_nano" bigint NOT NULL DEFAULT 0,
  "settled_nano" bigint NOT NULL DEFAULT 0,
  "webhook_secret" text NOT NULL,
  "previous_webhook_secret" text,
  "webhook_secret_retires_at" timestamptz(3),
  "created_at" timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "query_per_minute" integer,
  "state" text NOT NULL DEFAULT 'active',
  "submit_per_minute" integer,
  "priority_class" text NOT NULL DEFAULT 'normal',

  CONSTRAINT "accounts_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "accounts_balance_not_negative" CHECK (topped_up_nano - held_nano - settled_nano >= 0),
  CONSTRAINT "accounts_held_not_negative" CHECK (held_nano >= 0),
  CONSTRAINT "accounts_settled_not_negative" CHECK (settled_nano >= 0),
  CONSTRAINT "accounts_state_known" CHECK (state IN ('active', 'suspended', 'closed')),
  CONSTRAINT "accounts_priority_class_known" CHECK (priority_class IN ('low', 'normal', 'high'))
) WITH (fillfactor = 50);
-- Operators look for accounts by the beginning of a name, in any letter case.
CREATE INDEX "accounts_by_name" ON "accounts" ((lower(name) COLLATE "C"), "id");
-- Operators list suspended and closed accounts; active ones, nearly all, are not in it.
CREATE INDEX "accounts_inactive" ON "accounts" ("state", "id") WHERE state <> 'active';

CREATE TABLE "api_key_uses" (
  "key_id" text NOT NULL,
  "last_used_at" timestamptz(3) NOT NULL,

  CONSTRAINT "api_key_uses_pkey" PRIMARY KEY ("key_id")
);

-- Every task writes the row of its key, as it does that of its account.
CREATE TABLE "api_keys" (
  "id" text NOT NULL,
  "account_id" text NOT NULL,
  "name" text NOT NULL DEFAULT '',
  "secret_hash" bytea NOT NULL,
  "last_four" text NOT NULL,
  "quota_nano" bigint,
  "held_nano" bigint NOT NULL DEFAULT 0,
  "settled_nano" bigint NOT NULL DEFAULT 0,
  "families" text[] DEFAULT ARRAY[]::text[],
  "models" text[] DEFAULT ARRAY[]::text[],
  "submit_per_minute" integer NOT NULL DEFAULT 300,
  "query_per_minute" integer NOT NULL DEFAULT 3000,
  "max_concurrent" integer,
  "created_at" timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "revoked_at" timestamptz(3),
  "can_manage" boolean NOT NULL DEFAULT false,
  "expires_at" timestamptz(3),
  "maker_id" text,
  "is_test" boolean NOT NULL DEFAULT false,
  "made_by" text,
  "scope" text NOT NULL DEFAULT 'account',

  CONSTRAINT "api_keys_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "api_keys_held_not_negative" CHECK (held_nano >= 0),
  CONSTRAINT "api_keys_scope_check" CHECK (scope IN ('own', 'account')),
  CONSTRAINT "api_keys_settled_not_negative" CHECK (settled_nano >= 0),
  CONSTRAINT "api_keys_within_quota" CHECK (quota_nano IS NULL OR quota_nano - held_nano - settled_nano >= 0)
) WITH (fillfactor = 50);
-- Lists of the keys of an account, the newest first.
CREATE INDEX "api_keys_account_id_created_at_id_idx" ON "api_keys" ("account_id", "created_at", "id");
CREATE INDEX "api_keys_created_at_id_idx" ON "api_keys" ("created_at", "id");
-- Finds the children of a key, whose spending counts against its quota.
CREATE INDEX "api_keys_maker_id_idx" ON "api_keys" ("maker_id");

CREATE TABLE "audit_log" (
  "id" bigserial NOT NULL,
  "actor" text NOT NULL,
  "action" text NOT NULL,
  "subject" text NOT NULL,
  "detail" jsonb NOT NULL DEFAULT '{}',
  "created_at" timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "idempotency_key" text,
  "request_hash" bytea,

  CONSTRAINT "audit_log_pkey" PRIMARY KEY ("id")
) WITH (autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
CREATE INDEX "audit_log_action_id_idx" ON "audit_log" ("action", "id");
CREATE INDEX "audit_log_actor_id_idx" ON "audit_log" ("actor", "id");
CREATE UNIQUE INDEX "audit_log_actor_idempotency_key_key" ON "audit_log" ("actor", "idempotency_key");
CREATE INDEX "audit_log_created_at_idx" ON "audit_log" ("created_at");
CREATE INDEX "audit_log_subject_id_idx" ON "audit_log" ("subject", "id");

CREATE TABLE "audit_runs" (
  "id" bigserial NOT NULL,
  "requested_at" timestamptz(3),
  "started_at" timestamptz(3),
  "ended_at" timestamptz(3),
  "violations" jsonb NOT NULL DEFAULT '[]',
  "claim" integer NOT NULL DEFAULT 0,
  "requested_by" text,
  "whole" boolean NOT NULL DEFAULT true,

  CONSTRAINT "audit_runs_pkey" PRIMARY KEY ("id")
);
-- Simultaneous requests for an audit become one.
CREATE UNIQUE INDEX "audit_runs_one_waiting" ON "audit_runs" ((true)) WHERE started_at IS NULL AND ended_at IS NULL;

CREATE TABLE "channel_definitions" (
  "id" text NOT NULL,
  "source" jsonb NOT NULL,
  "updated_at" timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "origin_by_operator" boolean NOT NULL DEFAULT true,

  CONSTRAINT "channel_definitions_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "channel_destinations" (
  "channel_id" text NOT NULL,
  "destination" text NOT NULL,
  "source" jsonb NOT NULL,
  "updated_at" timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "origin_by_operator" boolean NOT NULL DEFAULT true,

  CONSTRAINT "channel_destinations_pkey" PRIMARY KEY ("channel_id", "destination")
);

CREATE TABLE "channel_overrides" (
  "channel_id" text NOT NULL,
  "state" text,
  "weight" integer,
  "set_by" text NOT NULL DEFAULT '',
  "reason" text,
  "set_at" timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

  CONSTRAINT "channel_overrides_pkey" PRIMARY KEY ("channel_id"),
  CONSTRAINT "channel_overrides_state_known" CHECK (state IN ('draining', 'disabled')),
  CONSTRAINT "channel_overrides_weight_range" CHECK (weight BETWEEN 1 AND 1000)
);

CREATE TABLE "channel_paces" (
  "channel_id" text NOT NULL,
  "throttled_at" timestamptz(3) NOT NULL,
  "cooling_until" timestamptz(3) NOT NULL,
  "strikes" integer NOT NULL,
  "ceiling" double precision,
  "next_start_at" timestamptz(3) NOT NULL,

  CONSTRAINT "channel_paces_pkey" PRIMARY KEY ("channel_id")
);

CREATE TABLE "fence_epochs" (
  "epoch" integer NOT NULL,
  "timeline" integer,
  "cause" text NOT NULL,
  "began_at" timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "known_until" timestamptz(3),

  CONSTRAINT "fence_epochs_pkey" PRIMARY KEY ("epoch")
);

CREATE TABLE "idempotency_keys" (
  "key_id" text NOT NULL,
  "idempotency_key" text NOT NULL,
  "request_hash" bytea NOT NULL,
  "task_id" text NOT NULL,
  "expires_at" timestamptz(3) NOT NULL,

  CONSTRAINT "idempotency_keys_pkey" PRIMARY KEY ("key_id", "idempotency_key")
) WITH (
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_insert_scale_factor = 0.05,
  autovacuum_analyze_scale_factor = 0.02
);
CREATE INDEX "idempotency_keys_expires_at_idx" ON "idempotency_keys" ("expires_at");

CREATE TABLE "leases" (
  "name" text NOT NULL,
  "holder" text NOT NULL,
  "lease_until" timestamptz(3) NOT NULL,

  CONSTRAINT "leases_pkey" PRIMARY KEY ("name")
);

-- Rows are only added. Vacuum freezes them a little at a time instead of all at once.
CREATE TABLE "ledger_entries" (
  "id" bigserial NOT NULL,
  "account_id" text NOT NULL,
  "key_id" text,
  "task_id" text,
  "kind" text NOT NULL,
  "amount_nano" bigint NOT NULL,
  "reference" text,
  "note" text,
  "created_at" timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "balance_after_nano" bigint,

  CONSTRAINT "ledger_entries_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "ledger_entries_amount_sign" CHECK (kind = 'adjust' OR amount_nano >= 0),
  CONSTRAINT "ledger_entries_kind_known" CHECK (kind IN ('top_up', 'hold', 'settle', 'refund', 'adjust')),
  -- A correction may name a task, whose charge it gives back.
  CONSTRAINT "ledger_entries_task_where_due"
    CHECK (kind = 'adjust' OR (kind IN ('hold', 'settle', 'refund')) = (task_id IS NOT NULL))
) WITH (autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
CREATE INDEX "ledger_entries_account_id_id_idx" ON "ledger_entries" ("account_id", "id");
-- A payment is booked once. Holds and settlements, nearly all entries, have no reference and are not in it.
CREATE UNIQUE INDEX "ledger_entries_by_reference" ON "ledger_entries" ("reference") WHERE reference IS NOT NULL;
-- Invoices read payments and corrections of an account, which are few beside what its tasks book.
CREATE INDEX "ledger_entries_payments" ON "ledger_entries" ("account_id", "created_at") WHERE kind IN ('top_up', 'adjust');
-- Reports of usage and margin read refunds made by hand, in the order of their tasks.
CREATE INDEX "ledger_entries_refunds_by_hand" ON "ledger_entries" ("task_id") WHERE kind = 'adjust' AND task_id IS NOT NULL;
-- A reservation ends once: settled or refunded, never both, never twice.
CREATE UNIQUE INDEX "ledger_entries_resolved_once" ON "ledger_entries" (task_id) WHERE kind IN ('settle', 'refund');
CREATE UNIQUE INDEX "ledger_entries_task_id_kind_key" ON "ledger_entries" ("task_id", "kind");
-- The audit looks for entries without a balance beside each entry; there are none or few.
CREATE INDEX "ledger_entries_without_balance" ON "ledger_entries" ("account_id", "created_at") WHERE balance_after_nano IS NULL;

CREATE TABLE "ledger_seal" (
  "id" integer NOT NULL,
  "entry_id" bigint NOT NULL DEFAULT 0,
  "next_entry_id" bigint NOT NULL DEFAULT 0,
  "next_xid" bigint NOT NULL DEFAULT 0,
  "sealed_at" timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

  CONSTRAINT "ledger_seal_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "ledger_seal_is_one_row" CHECK ("id" = 1)
);

CREATE TABLE "media_objects" (
  "id" text NOT NULL,
  "account_id" text NOT NULL,
  "task_id" text,
  "purpose" text NOT NULL,
  "storage_key" text NOT NULL,
  "content_type" text NOT NULL,
  "bytes" bigint NOT NULL,
  "sha256" bytea NOT NULL,
  "width" integer,
  "height" integer,
  "created_at" timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "expires_at" timestamptz(3) NOT NULL,
  "deleted_at" timestamptz(3),
  "key_id" text,
  "pages" integer,
  "seconds" double precision,
  "is_counted" boolean NOT NULL DEFAULT false,

  CONSTRAINT "media_objects_pkey" PRIMARY KEY ("id")
) WITH (
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_insert_scale_factor = 0.05,
  autovacuum_analyze_scale_factor = 0.02
);
-- Sums the files for vendors that a key has in the storage, and finds those whose tasks have ended.
CREATE INDEX "live_inputs" ON "media_objects" ("key_id", "task_id", "id") INCLUDE ("bytes") WHERE purpose = 'input' AND deleted_at IS NULL;
CREATE INDEX "media_objects_expiry" ON "media_objects" (expires_at) WHERE deleted_at IS NULL;
CREATE UNIQUE INDEX "media_objects_storage_key_key" ON "media_objects" ("storage_key");
CREATE INDEX "media_objects_task_id_idx" ON "media_objects" ("task_id");
-- Lists of the files of an account.
CREATE INDEX "uploads_by_account" ON "media_objects" ("account_id", "id") WHERE purpose = 'upload' AND deleted_at IS NULL;

CREATE TABLE "notice_messages" (
  "id" text NOT NULL,
  "target_id" text NOT NULL,
  "is_test" boolean NOT NULL DEFAULT false,
  "notices" jsonb NOT NULL,
  "more" integer NOT NULL DEFAULT 0,
  "state" text NOT NULL DEFAULT 'pending',
  "reason" text,
  "attempts_made" integer NOT NULL DEFAULT 0,
  "fence" integer NOT NULL DEFAULT 0,
  "lease_until" timestamptz(3),
  "next_attempt_at" timestamptz(3) DEFAULT CURRENT_TIMESTAMP,
  "created_at" timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "ended_at" timestamptz(3),

  CONSTRAINT "notice_messages_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "notice_messages_state"
    CHECK (state IN ('pending', 'delivered', 'rejected', 'exhausted', 'dropped'))
);
CREATE INDEX "notice_messages_created_at_idx" ON "notice_messages" ("created_at");
CREATE INDEX "notice_messages_due" ON "notice_messages" ("next_attempt_at") WHERE state = 'pending';
CREATE INDEX "notice_messages_due_by_target" ON "notice_messages" ("target_id", "next_attempt_at") WHERE state = 'pending';
CREATE INDEX "notice_messages_target_id_created_at_idx" ON "notice_messages" ("target_id", "created_at");
CREATE INDEX "notice_messages_under_way" ON "notice_messages" ("lease_until") WHERE state = 'pending' AND lease_until IS NOT NULL;

CREATE TABLE "notice_settings" (
  "owner" text NOT NULL,
  "low_balance_nano" bigint,
  "key_quota_percents" integer[] DEFAULT ARRAY[]::integer[],
  "callbacks_failed" integer,
  "channel_minutes" integer,
  "repeat_minutes" integer,
  "quiet_minutes" integer,
  "reach" jsonb,

  CONSTRAINT "notice_settings_pkey" PRIMARY KEY ("owner")
);

CREATE TABLE "notice_targets" (
  "id" text NOT NULL,
  "owner" text NOT NULL,
  "medium" text NOT NULL,
  "address" text NOT NULL,
  "kinds" text[] DEFAULT ARRAY[]::text[],
  "language" text NOT NULL,
  "secret" text,
  "created_at" timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "removed_at" timestamptz(3),

  CONSTRAINT "notice_targets_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "notice_targets_medium" CHECK (medium IN ('webhook', 'email', 'slack'))
);
CREATE INDEX "notice_targets_owner_idx" ON "notice_targets" ("owner");

CREATE TABLE "notices" (
  "id" bigserial NOT NULL,
  "owner" text NOT NULL,
  "kind" text NOT NULL,
  "subject" text NOT NULL,
  "account_id" text,
  "level" integer NOT NULL DEFAULT 0,
  "figures" jsonb NOT NULL,
  "since" timestamptz(3) NOT NULL,
  "ended_at" timestamptz(3),
  "closed_at" timestamptz(3),
  "reported" text,
  "reported_at" timestamptz(3),
  "standing_reported_at" timestamptz(3),
  "reported_level" integer NOT NULL DEFAULT 0,

  CONSTRAINT "notices_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "notices_closed_once_over" CHECK (closed_at IS NULL OR ended_at IS NOT NULL),
  CONSTRAINT "notices_reported" CHECK (reported IN ('standing', 'resolved'))
);
CREATE INDEX "notices_closed" ON "notices" ("closed_at") WHERE closed_at IS NOT NULL;
-- Two reconcilers that find the same thing at once make one notice.
CREATE UNIQUE INDEX "notices_open" ON "notices" ("owner", "kind", "subject") WHERE closed_at IS NULL;
CREATE INDEX "notices_owner_id_idx" ON "notices" ("owner", "id");

CREATE TABLE "open_breakers" (
  "process_id" text NOT NULL,
  "channel_id" text NOT NULL,
  "opened_at" timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "seen_at" timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

  CONSTRAINT "open_breakers_pkey" PRIMARY KEY ("process_id", "channel_id")
);

CREATE TABLE "operator_tokens" (
  "id" text NOT NULL,
  "name" text NOT NULL,
  "role" text NOT NULL,
  "secret_hash" bytea NOT NULL,
  "created_at" timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "last_used_at" timestamptz(3),
  "revoked_at" timestamptz(3),

  CONSTRAINT "operator_tokens_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "operator_tokens_role_check" CHECK ("role" IN ('read', 'support', 'billing', 'admin'))
);

CREATE TABLE "overruns" (
  "task_id" text NOT NULL,
  "amount_nano" bigint NOT NULL,
  "created_at" timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

  CONSTRAINT "overruns_pkey" PRIMARY KEY ("task_id")
);

CREATE TABLE "price_overrides" (
  "id" bigserial NOT NULL,
  "billing_key" text NOT NULL,
  "price" jsonb,
  "effective_at" timestamptz(3) NOT NULL,
  "set_by" text NOT NULL,
  "reason" text,
  "created_at" timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

  CONSTRAINT "price_overrides_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "price_overrides_billing_key_effective_at_id_idx" ON "price_overrides" ("billing_key", "effective_at", "id");
CREATE INDEX "price_overrides_billing_key_id_idx" ON "price_overrides" ("billing_key", "id");

-- Each row changes once and stays.
CREATE TABLE "reservations" (
  "task_id" text NOT NULL,
  "account_id" text NOT NULL,
  "key_id" text NOT NULL,
  "amount_nano" bigint NOT NULL,
  "state" text NOT NULL DEFAULT 'held',
  "settled_nano" bigint,
  "expires_at" timestamptz(3) NOT NULL,
  "created_at" timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "resolved_at" timestamptz(3),
  "family" text,
  "model" text,
  "is_test" boolean NOT NULL DEFAULT false,
  "channel_id" text,
  "cost_nano" bigint,
  "units" jsonb,

  CONSTRAINT "reservations_pkey" PRIMARY KEY ("task_id"),
  CONSTRAINT "reservations_amount_not_negative" CHECK (amount_nano >= 0),
  CONSTRAINT "reservations_state_whole" CHECK (
    (state = 'held' AND settled_nano IS NULL AND resolved_at IS NULL)
    OR (state = 'settled' AND settled_nano BETWEEN 0 AND amount_nano AND resolved_at IS NOT NULL)
    OR (state = 'refunded' AND settled_nano IS NULL AND resolved_at IS NOT NULL)
  ),
  CONSTRAINT "reservations_cost_known_at_the_end" CHECK (cost_nano IS NULL OR (cost_nano >= 0 AND state <> 'held')),
  -- Tasks of test keys cost nothing.
  CONSTRAINT "reservations_tests_free" CHECK (NOT is_test OR amount_nano = 0)
) WITH (
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_insert_scale_factor = 0.02,
  autovacuum_analyze_scale_factor = 0.02
);
-- Sums what an account used between two days without reading the rest.
CREATE INDEX "reservations_account_id_created_at_idx" ON "reservations" ("account_id", "created_at");
CREATE INDEX "reservations_held" ON "reservations" (expires_at) WHERE state = 'held';

CREATE TABLE "sealed_accounts" (
  "account_id" text NOT NULL,
  "topped_up_nano" bigint NOT NULL,
  "held_nano" bigint NOT NULL,
  "settled_nano" bigint NOT NULL,

  CONSTRAINT "sealed_accounts_pkey" PRIMARY KEY ("account_id")
);

CREATE TABLE "sealed_keys" (
  "key_id" text NOT NULL,
  "held_nano" bigint NOT NULL,
  "settled_nano" bigint NOT NULL,

  CONSTRAINT "sealed_keys_pkey" PRIMARY KEY ("key_id")
);

CREATE TABLE "setting_steps" (
  "id" bigserial NOT NULL,
  "version" bigint NOT NULL,
  "section" text NOT NULL,
  "name" text NOT NULL,
  "field" text NOT NULL,
  "value" jsonb,
  "effective_at" timestamptz(3) NOT NULL,
  "set_by" text NOT NULL,
  "reason" text,
  "created_at" timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

  CONSTRAINT "setting_steps_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "setting_steps_section_known" CHECK ("section" IN ('channels', 'webhooks'))
);
CREATE INDEX "setting_steps_section_name_field_effective_at_id_idx" ON "setting_steps" ("section", "name", "field", "effective_at", "id");

CREATE TABLE "settings_version" (
  "only" boolean NOT NULL DEFAULT true,
  "version" bigint NOT NULL DEFAULT 0,

  CONSTRAINT "settings_version_pkey" PRIMARY KEY ("only"),
  CONSTRAINT "settings_version_only_one" CHECK ("only")
);

-- Rows come and go by the second. Dead entries of an index would slow every hand-over, so vacuum runs early.
CREATE TABLE "slot_waiters" (
  "task_id" text NOT NULL,
  "account_id" text NOT NULL,
  "family" text NOT NULL,
  "model" text NOT NULL,
  "is_test" boolean NOT NULL,
  "turn_at" timestamptz(3) NOT NULL,
  "kept_on" text,
  "kept_until" timestamptz(3),

  CONSTRAINT "slot_waiters_pkey" PRIMARY KEY ("task_id")
) WITH (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 500);
CREATE INDEX "slot_waiters_account_id_family_is_test_model_turn_at_idx" ON "slot_waiters" ("account_id", "family", "is_test", "model", "turn_at");
CREATE INDEX "slot_waiters_kept_on" ON "slot_waiters" ("kept_on", "kept_until") WHERE kept_on IS NOT NULL;
CREATE INDEX "slot_waiters_model_is_test_turn_at_task_id_idx" ON "slot_waiters" ("model", "is_test", "turn_at", "task_id");

CREATE TABLE "storage_faults" (
  "process_id" text NOT NULL,
  "place" text NOT NULL,
  "kind" text NOT NULL,
  "since" timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "seen_at" timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

  CONSTRAINT "storage_faults_pkey" PRIMARY KEY ("process_id", "place")
);

CREATE TABLE "storage_usages" (
  "owner" text NOT NULL,
  "stored_bytes" bigint NOT NULL DEFAULT 0,
  "stored_files" integer NOT NULL DEFAULT 0,
  "day" date NOT NULL,
  "day_bytes" bigint NOT NULL DEFAULT 0,
  "day_files" integer NOT NULL DEFAULT 0,

  CONSTRAINT "storage_usages_pkey" PRIMARY KEY ("owner"),
  CONSTRAINT "storage_usages_not_negative" CHECK (stored_bytes >= 0 AND stored_files >= 0 AND day_bytes >= 0 AND day_files >= 0)
);

CREATE TABLE "task_attempts" (
  "id" text NOT NULL,
  "task_id" text NOT NULL,
  "number" integer NOT NULL,
  "channel_id" text NOT NULL,
  "protocol" text NOT NULL,
  "state" text NOT NULL,
  "external_id" text,
  "operation" jsonb,
  "fault" text,
  "detail" text,
  "request_ids" text[] DEFAULT ARRAY[]::text[],
  "usage" jsonb,
  "started_at" timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "ended_at" timestamptz(3),
  "answer" text,
  "resolution" text,
  "resolved_at" timestamptz(3),
  "cost_nano" bigint,
  "cost_origin" text,
  "destination" text,
  "answered_fence" integer,

  CONSTRAINT "task_attempts_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "task_attempts_state_known" CHECK (state IN ('starting', 'accepted', 'succeeded', 'refused', 'unknown')),
  CONSTRAINT "task_attempts_cost_origin_known"
    CHECK ((cost_origin IS NULL OR (cost_origin IN ('declared', 'reported', 'resolved') AND cost_nano IS NOT NULL))
      AND (cost_nano IS NULL OR (cost_nano >= 0 AND state NOT IN ('starting', 'accepted')))),
  CONSTRAINT "task_attempts_resolution_known"
    CHECK (resolution IS NULL OR (state = 'unknown' AND resolution IN ('paid', 'not_paid') AND resolved_at IS NOT NULL))
) WITH (
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_insert_scale_factor = 0.05,
  autovacuum_analyze_scale_factor = 0.02
);
-- Vendors that answer at once have no job id: their attempts are not in it.
CREATE UNIQUE INDEX "task_attempts_by_external_id" ON "task_attempts" ("channel_id", "external_id") WHERE external_id IS NOT NULL;
-- Operators list attempts whose outcome nobody knows.
CREATE INDEX "task_attempts_in_quarantine" ON "task_attempts" ("id") WHERE state = 'unknown';
CREATE INDEX "task_attempts_open_by_channel" ON "task_attempts" (channel_id) WHERE state IN ('starting', 'accepted');
CREATE UNIQUE INDEX "task_attempts_task_id_number_key" ON "task_attempts" ("task_id", "number");
-- Attempts of unknown outcome that nobody has resolved.
CREATE INDEX "task_attempts_unresolved" ON "task_attempts" ("id") WHERE state = 'unknown' AND resolution IS NULL;

CREATE TABLE "task_labels" (
  "account_id" text NOT NULL,
  "label_hash" bytea NOT NULL,
  "task_id" text NOT NULL,

  CONSTRAINT "task_labels_pkey" PRIMARY KEY ("account_id", "label_hash", "task_id")
) WITH (
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_insert_scale_factor = 0.05,
  autovacuum_analyze_scale_factor = 0.02
);

-- Each row is written several times and is deleted in the end. Vacuum and analyze run by small shares of the table, so that
-- neither waits for millions of changed rows.
CREATE TABLE "tasks" (
  "id" text NOT NULL,
  "account_id" text NOT NULL,
  "key_id" text NOT NULL,
  "family" text NOT NULL,
  "kind" text NOT NULL,
  "model" text NOT NULL,
  "operation" text NOT NULL,
  "status" text NOT NULL DEFAULT 'submitted',
  "progress" integer NOT NULL DEFAULT 0,
  "input" jsonb NOT NULL,
  "rates" jsonb NOT NULL,
  "catalogue_version" integer NOT NULL,
  "warnings" text[] DEFAULT ARRAY[]::text[],
  "webhook" text,
  "language" text,
  "parent_task_id" text,
  "request_id" text,
  "reserved_nano" bigint NOT NULL,
  "cost_nano" bigint,
  "usage" jsonb,
  "result" jsonb,
  "error" jsonb,
  "created_at" timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "started_at" timestamptz(3),
  "completed_at" timestamptz(3),
  "fence" integer NOT NULL DEFAULT 0,
  "lease_until" timestamptz(3),
  "next_step_at" timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "woken_at" timestamptz(3),
  "deadline_at" timestamptz(3) NOT NULL,
  "failed_steps" integer NOT NULL DEFAULT 0,
  "attempt_id" text,
  "attempt_state" text,
  "attempts_made" integer NOT NULL DEFAULT 0,
  "channel_id" text,
  "upstream_operation" jsonb,
  "tried_channels" text[] DEFAULT ARRAY[]::text[],
  "lost_steps" integer NOT NULL DEFAULT 0,
  "barred_channels" text[] DEFAULT ARRAY[]::text[],
  "parked" boolean NOT NULL DEFAULT false,
  "run_by_submitter" boolean NOT NULL DEFAULT false,
  "metadata" jsonb,
  "start_by" timestamptz(3),
  "cancel_requested_at" timestamptz(3),
  "is_test" boolean NOT NULL DEFAULT false,
  "trace_context" text,
  "hastened_at" timestamptz(3),
  "awaits_key_slot" boolean NOT NULL DEFAULT false,

  CONSTRAINT "tasks_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "tasks_attempt_state_known" CHECK (attempt_state IN ('starting', 'accepted')),
  CONSTRAINT "tasks_progress_range" CHECK (progress BETWEEN 0 AND 100),
  CONSTRAINT "tasks_status_known" CHECK (status IN ('submitted', 'pending', 'processing', 'completed', 'failed')),
  -- A streamed answer is not kept, so completed tasks of speech and text have no result.
  CONSTRAINT "tasks_ended_whole" CHECK (
    (status IN ('completed', 'failed')) = (completed_at IS NOT NULL)
    AND (result IS NULL OR status = 'completed')
    AND (result IS NOT NULL OR status <> 'completed' OR family IN ('text', 'tts'))
    AND (status = 'failed') = (error IS NOT NULL)
    AND (completed_at IS NULL OR progress = 100)
  )
) WITH (
  fillfactor = 80,
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_insert_scale_factor = 0.05,
  autovacuum_analyze_scale_factor = 0.02
);
-- Lists of the tasks of an account; ids sort by time.
CREATE INDEX "tasks_account_id_id_idx" ON "tasks" ("account_id", "id");
-- Finds the tasks that await a slot of their key, the oldest first. No other index has this order, so no plan walks the tasks that
-- do not wait.
CREATE INDEX "tasks_awaiting_key_slot" ON "tasks" ("key_id", "family", "created_at", "id") WHERE status = 'submitted' AND awaits_key_slot;
-- Lists of the tasks made from one.
CREATE INDEX "tasks_by_parent" ON "tasks" ("parent_task_id", "id") WHERE parent_task_id IS NOT NULL;
-- Request ids that callers sent. Ids of the gateway, UUIDs of version 7, are found by their time and take no space here.
CREATE INDEX "tasks_by_request" ON "tasks" ("request_id", "id") WHERE request_id !~ '^[0-9a-f]{8}-[0-9a-f]{4}-7';
CREATE INDEX "tasks_deadline" ON "tasks" (deadline_at) WHERE status NOT IN ('completed', 'failed');
-- Lists of ended tasks by model. Open ones are read from "tasks_open_by_account": every change of theirs would be an entry here.
CREATE INDEX "tasks_ended_by_model" ON "tasks" ("account_id", "family", "model", "id") WHERE status IN ('completed', 'failed');
-- Lists of the tasks of an account that failed.
CREATE INDEX "tasks_failed_by_account" ON "tasks" ("account_id", "id") WHERE status = 'failed';
-- Lists of the tasks of keys that see only their own. The collation keeps it from every other statement: a statement with `key_id`
-- and more conditions must not be planned through all that the key ever made.
CREATE INDEX "tasks_key_id_id_idx" ON "tasks" ("key_id" COLLATE "C", "id");
-- Lists of the tasks of an account that have not ended.
CREATE INDEX "tasks_open_by_account" ON "tasks" ("account_id", "id") WHERE status NOT IN ('completed', 'failed');
-- The reconciler looks for lapsed leases of API processes. No column here changes with a renewal, so renewals stay in place.
CREATE INDEX "tasks_open_run_by_submitter" ON "tasks" (id) WHERE run_by_submitter AND status NOT IN ('completed', 'failed');
-- The dispatcher walks the accounts that wait in a family, and the tasks of each by age.
CREATE INDEX "tasks_undispatched" ON "tasks" ("family", "account_id", "next_step_at", "id")
  WHERE (status <> 'submitted' OR woken_at IS NOT NULL) IS NOT TRUE;
-- The reconciler looks for tasks that were not started in time. An attempt that begins takes its task out.
CREATE INDEX "tasks_unstarted" ON "tasks" (start_by) WHERE start_by IS NOT NULL AND status NOT IN ('completed', 'failed');
-- Counts the tasks that use a slot of their key, however many await one.
CREATE INDEX "tasks_using_key_slots" ON "tasks" ("key_id", "family") WHERE status NOT IN ('completed', 'failed') AND NOT awaits_key_slot;
-- The reconciler checks that the queue still has the jobs of tasks that are due: all open ones that do not wait for the
-- dispatcher.
CREATE INDEX "tasks_watched" ON "tasks" ("family", "next_step_at", "id")
  WHERE (status IN ('completed', 'failed')) IS NOT TRUE AND (status = 'submitted' AND woken_at IS NULL) IS NOT TRUE;

CREATE TABLE "usage_days" (
  "id" bigserial NOT NULL,
  "account_id" text NOT NULL,
  "day" date NOT NULL,
  "ended_on" date NOT NULL,
  "key_id" text NOT NULL,
  "family" text NOT NULL,
  "model" text NOT NULL,
  "channel_id" text NOT NULL,
  "completed" bigint NOT NULL,
  "failed" bigint NOT NULL,
  "charged_nano" bigint NOT NULL,
  "refunded_nano" bigint NOT NULL,
  "cost_nano" numeric NOT NULL,
  "cost_unknown" bigint NOT NULL,

  CONSTRAINT "usage_days_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "usage_days_account_id_day_ended_on_key_id_family_model_chan_key" ON "usage_days" ("account_id", "day", "ended_on", "key_id", "family", "model", "channel_id");
CREATE INDEX "usage_days_account_id_ended_on_idx" ON "usage_days" ("account_id", "ended_on");
CREATE INDEX "usage_days_day_idx" ON "usage_days" ("day");

CREATE TABLE "usage_progress" (
  "id" integer NOT NULL,
  "summed_to" text NOT NULL DEFAULT '',
  "newest_at" timestamptz(3),

  CONSTRAINT "usage_progress_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "usage_progress_one_row" CHECK (id = 1)
);

CREATE TABLE "usage_units" (
  "day_id" bigint NOT NULL,
  "unit" text NOT NULL,
  "quantity" numeric NOT NULL,

  CONSTRAINT "usage_units_pkey" PRIMARY KEY ("day_id", "unit")
);

CREATE TABLE "user_links" (
  "token_hash" bytea NOT NULL,
  "user_id" text NOT NULL,
  "purpose" text NOT NULL,
  "expires_at" timestamptz(3) NOT NULL,

  CONSTRAINT "user_links_pkey" PRIMARY KEY ("token_hash"),
  CONSTRAINT "user_links_purpose" CHECK (purpose IN ('invitation', 'sign_in'))
);
CREATE INDEX "user_links_user_id_idx" ON "user_links" ("user_id");

CREATE TABLE "user_recovery_codes" (
  "user_id" text NOT NULL,
  "code_hash" bytea NOT NULL,

  CONSTRAINT "user_recovery_codes_pkey" PRIMARY KEY ("user_id", "code_hash")
);

CREATE TABLE "user_sessions" (
  "token_hash" bytea NOT NULL,
  "user_id" text NOT NULL,
  "created_at" timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "seen_at" timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "generation" integer NOT NULL DEFAULT 0,

  CONSTRAINT "user_sessions_pkey" PRIMARY KEY ("token_hash")
);
CREATE INDEX "user_sessions_created_at_idx" ON "user_sessions" ("created_at");
CREATE INDEX "user_sessions_user_id_idx" ON "user_sessions" ("user_id");

CREATE TABLE "users" (
  "id" text NOT NULL,
  "email" text NOT NULL,
  "name" text NOT NULL,
  "kind" text NOT NULL,
  "role" text NOT NULL,
  "account_id" text,
  "password_hash" text,
  "totp_secret" bytea,
  "totp_confirmed_at" timestamptz(3),
  "totp_last_step" bigint,
  "identity" text,
  "credential_id" text,
  "credential_secret" bytea,
  "created_at" timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "last_signed_in_at" timestamptz(3),
  "disabled_at" timestamptz(3),
  "session_generation" integer NOT NULL DEFAULT 0,

  CONSTRAINT "users_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "users_credential" CHECK ((credential_id IS NULL) = (credential_secret IS NULL)),
  CONSTRAINT "users_email" CHECK (email = lower(email)),
  CONSTRAINT "users_kind" CHECK (
    kind = 'operator' AND account_id IS NULL AND role IN ('read', 'support', 'billing', 'admin')
    OR kind = 'account' AND account_id IS NOT NULL AND role IN ('owner', 'developer', 'viewer')
  )
);
CREATE INDEX "users_account_id_idx" ON "users" ("account_id");
-- The audit log looks up who stands behind a token or key.
CREATE INDEX "users_credential_id_idx" ON "users" ("credential_id");
CREATE UNIQUE INDEX "users_email_account_id_key" ON "users" ("email", "account_id") NULLS NOT DISTINCT;
CREATE UNIQUE INDEX "users_identity_account_id_key" ON "users" ("identity", "account_id");
CREATE UNIQUE INDEX "users_operators_by_identity" ON "users" ("identity") WHERE "account_id" IS NULL;

CREATE TABLE "vendor_secrets" (
  "name" text NOT NULL,
  "sealed" bytea NOT NULL,
  "set_by" text NOT NULL,
  "reason" text,
  "set_at" timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

  CONSTRAINT "vendor_secrets_pkey" PRIMARY KEY ("name")
);

-- The end of an attempt is written over the row of its beginning: room on the page keeps that update off the indexes.
CREATE TABLE "webhook_attempts" (
  "delivery_id" text NOT NULL,
  "number" integer NOT NULL,
  "started_at" timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "ended_at" timestamptz(3),
  "http_status" integer,
  "error" text,
  "excerpt" text,

  CONSTRAINT "webhook_attempts_pkey" PRIMARY KEY ("delivery_id", "number")
) WITH (
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_insert_scale_factor = 0.05,
  autovacuum_analyze_scale_factor = 0.02,
  fillfactor = 85
);

-- A claim changes no column of an index: room on the page keeps that update in place.
CREATE TABLE "webhook_deliveries" (
  "id" text NOT NULL,
  "task_id" text NOT NULL,
  "account_id" text NOT NULL,
  "url" text NOT NULL,
  "body" text,
  "state" text NOT NULL DEFAULT 'pending',
  "reason" text,
  "attempts_made" integer NOT NULL DEFAULT 0,
  "fence" integer NOT NULL DEFAULT 0,
  "lease_until" timestamptz(3),
  "next_attempt_at" timestamptz(3) DEFAULT CURRENT_TIMESTAMP,
  "created_at" timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "ended_at" timestamptz(3),
  "trace_context" text,
  "caller_redelivered_on" date,
  "caller_redeliveries" integer NOT NULL DEFAULT 0,

  CONSTRAINT "webhook_deliveries_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "webhook_deliveries_state_known"
    CHECK (state IN ('pending', 'delivered', 'rejected', 'exhausted', 'dropped'))
) WITH (
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_insert_scale_factor = 0.05,
  autovacuum_analyze_scale_factor = 0.02,
  fillfactor = 85
);
-- Lists of the tasks of an account by the state of their callback.
CREATE INDEX "webhook_deliveries_account_id_state_task_id_idx" ON "webhook_deliveries" ("account_id", "state", "task_id");
CREATE INDEX "webhook_deliveries_due" ON "webhook_deliveries" (next_attempt_at) WHERE state = 'pending';
-- Accounts take turns without a sort of all callbacks that are due. Ended ones are never in it.
CREATE INDEX "webhook_deliveries_due_by_account" ON "webhook_deliveries" ("account_id", "next_attempt_at") WHERE state = 'pending';
-- Notices read callbacks that were given up, and those that were tried three times and are still tried. Delivered ones are never
-- in it.
CREATE INDEX "webhook_deliveries_failing" ON "webhook_deliveries" ("ended_at")
  WHERE state IN ('rejected', 'exhausted', 'dropped') OR (state = 'pending' AND attempts_made >= 3);
CREATE UNIQUE INDEX "webhook_deliveries_task_id_key" ON "webhook_deliveries" ("task_id");
-- Lists of callbacks over all accounts by state, those of the newest tasks first.
CREATE INDEX "webhook_deliveries_undelivered" ON "webhook_deliveries" ("state", "task_id") WHERE state <> 'delivered';

ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts" ("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_maker_id_fkey" FOREIGN KEY ("maker_id") REFERENCES "api_keys" ("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "user_links" ADD CONSTRAINT "user_links_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "user_recovery_codes" ADD CONSTRAINT "user_recovery_codes_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "user_sessions" ADD CONSTRAINT "user_sessions_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "users" ADD CONSTRAINT "users_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts" ("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- Makes tasks that the dispatcher is about to enqueue await a slot in their rows where they are beyond the limit of their key, and
-- returns them. There are such tasks where a key got a limit, or a lower one, while they waited.
--
-- Counts without a lock first: where all of a key fit, as they nearly always do, nothing is locked and no booking waits. Where some are
-- beyond the limit the key is locked and they are counted again. A key whose row somebody holds is passed over: claims keep to
-- its limit all the same.
CREATE OR REPLACE FUNCTION await_key_slots(wanted text[]) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
  line record;
  allowed int;
  used bigint;
BEGIN
  FOR line IN
    SELECT t.key_id, t.family, k.max_concurrent, array_agg(t.id) AS ids
    FROM tasks t JOIN api_keys k ON k.id = t.key_id
    WHERE t.id = ANY(wanted) AND k.max_concurrent IS NOT NULL
    GROUP BY t.key_id, t.family, k.max_concurrent ORDER BY t.key_id, t.family
  LOOP
    allowed := line.max_concurrent;
    FOR pass IN 1..2 LOOP
      used := key_slots_used(line.key_id, line.family, 'enqueued');
      EXIT WHEN pass = 2 OR used + cardinality(line.ids) <= allowed;
      SELECT k.max_concurrent INTO allowed FROM api_keys k WHERE k.id = line.key_id FOR UPDATE SKIP LOCKED;
      EXIT WHEN allowed IS NULL;
    END LOOP;
    CONTINUE WHEN allowed IS NULL OR used + cardinality(line.ids) <= allowed;
    RETURN QUERY
    UPDATE tasks t SET awaits_key_slot = true, woken_at = now(), next_step_at = t.deadline_at
    WHERE t.id = ANY(ARRAY(
      SELECT s.id FROM tasks s
      WHERE s.id = ANY(line.ids) AND (s.status <> 'submitted' OR s.woken_at IS NOT NULL OR s.awaits_key_slot) IS NOT TRUE
      ORDER BY s.created_at, s.id OFFSET greatest(allowed - used, 0) FOR UPDATE SKIP LOCKED
    ))
    RETURNING t.id;
  END LOOP;
END $$;

-- Puts a task among those that wait for a slot of a channel of their model, and ends the attempt that it had there, which reached no
-- vendor. Returns false where the claim is old. A task that waited keeps its turn, unless it came too late for a slot that was kept.
--
-- Turns: as if no account came with more than one task of a model in a while, shorter for a higher class. So of an account with ten
-- thousand tasks one goes before another account's first, and the others after it. The account is locked, so that tasks that begin to
-- wait at once get turns of their own. Locks: account's waiters, task, its waiter.
CREATE OR REPLACE FUNCTION await_slot(
  wanted_task text, held_fence int, given_up text, barred text[], wait_seconds float8
) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
  held tasks;
  apart interval;
  fresh_turn timestamptz;
BEGIN
  SELECT * INTO held FROM tasks t WHERE t.id = wanted_task;
  PERFORM pg_advisory_xact_lock(hashtextextended('slots:' || held.account_id || ':' || held.family, 0));
  UPDATE tasks t SET attempt_state = NULL, upstream_operation = NULL, lease_until = NULL, tried_channels = '{}',
    barred_channels = barred, next_step_at = now() + make_interval(secs => wait_seconds)
  WHERE t.id = wanted_task AND t.fence = held_fence AND (t.status IN ('completed', 'failed')) IS NOT TRUE;
  IF NOT FOUND THEN RETURN false; END IF;
  UPDATE task_attempts a SET state = 'refused', fault = 'not_accepted', detail = 'at_capacity', cost_nano = 0, ended_at = now()
  WHERE a.id = given_up AND a.task_id = wanted_task;
  SELECT CASE a.priority_class WHEN 'high' THEN interval '10 s' WHEN 'low' THEN interval '90 s' ELSE interval '30 s' END
    INTO apart FROM accounts a WHERE a.id = held.account_id;
  SELECT greatest(clock_timestamp(), max(e.turn_at) + apart) INTO fresh_turn FROM slot_waiters e
  WHERE e.account_id = held.account_id AND e.family = held.family AND e.is_test = held.is_test AND e.model = held.model
    AND e.task_id <> held.id;
  INSERT INTO slot_waiters AS w (task_id, account_id, family, model, is_test, turn_at)
    VALUES (held.id, held.account_id, held.family, held.model, held.is_test, fresh_turn)
  ON CONFLICT (task_id) DO UPDATE SET kept_on = NULL, kept_until = NULL,
    turn_at = CASE WHEN w.kept_until <= now() THEN fresh_turn ELSE w.turn_at END;
  RETURN true;
END $$;

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
    upstream_operation = NULL, attempts_made = t.attempts_made + 1, start_by = NULL
    WHERE t.id = wanted_task AND t.fence = held_fence AND (t.status IN ('completed', 'failed')) IS NOT TRUE
      AND (t.lease_until > clock_timestamp()) IS TRUE AND (t.start_by <= now()) IS NOT TRUE
    RETURNING t.attempts_made INTO attempt_number;
  IF NOT FOUND THEN RETURN 'lost'; END IF;
  DELETE FROM slot_waiters w WHERE w.task_id = wanted_task;
  INSERT INTO task_attempts (id, task_id, number, channel_id, protocol, destination, state)
    VALUES (new_attempt, wanted_task, attempt_number, wanted_channel, wanted_protocol, wanted_destination, 'starting');
  RETURN 'begun';
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
-- 4. Whoever sets `waitsForSlot` is admitted only while its key has a slot free in the family. Whoever sets `queuesForSlot` is always admitted:
--    without a free slot, or while others await one, its task awaits one in its row (`awaits_slot`).
-- 5. Whoever has an idempotency key must also win its row. Twins in one batch do not, and find the winner when asked again.
-- 6. Winners are debited, once per account and key, and written: task, reservation, ledger entry with the balance it leaves.
--    The task of whoever sets `runsHere` is processed by the process that submits it, under a lease; its next step is its
--    deadline. That of whoever sets `begun` has the claim of the worker that it is handed to, and the intent of its first attempt,
--    as if the worker had written both. Whoever sets `expiresInSeconds` must have been begun by then. Tasks with metadata are listed by each of its
--    entries. Those of a key of tests are marked.
--
-- Whoever is refused for money is told what the account, or the key, had available and held as that was decided. Whoever is accepted is
-- told what is held for the task: with `leastNano` that is what account and key have, where they do not have the whole amount, and no less than that.
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
    case when fields ? 'leastNano'
      then greatest(least(i.amount, a.balance, k.own_available, k.shared_available), (fields->>'leastNano')::bigint) else i.amount end as amount,
    a.balance as account_balance, a.held as account_held,
    least(k.own_available, k.shared_available) as key_available, k.held as key_held,
    k.own_available, k.shared_available, k.owner_id, k.is_test,
    case when fields ?| '{waitsForSlot,queuesForSlot}' then k.max_concurrent end as slots,
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
    attempts_made, awaits_key_slot, woken_at)
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
    w.awaits, case when w.awaits then now() end
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

-- Changes the columns of a key that `fields` has; `revoked` ends it, with those that it made. No row: there is no such key; it,
-- or the key that made it, was revoked; or it would manage although a key made it. A made key never runs more tasks at once than its
-- maker may, whichever of the two is changed.
--
-- Locks the account, then the keys by id, as bookings do. Whoever holds the account's lock sees sums that nobody raises meanwhile,
-- so a quota never falls below what the key, with those that it made, holds and has spent: that is a check_violation.
CREATE OR REPLACE FUNCTION change_key(wanted_key text, fields jsonb) RETURNS TABLE (before jsonb, after jsonb) LANGUAGE plpgsql AS $$
DECLARE
  old api_keys;
  changed api_keys;
  maker api_keys;
BEGIN
  PERFORM 1 FROM accounts a WHERE a.id = (SELECT k.account_id FROM api_keys k WHERE k.id = wanted_key) FOR UPDATE;
  PERFORM 1 FROM api_keys k WHERE k.id = wanted_key OR k.maker_id = wanted_key ORDER BY k.id FOR UPDATE;
  SELECT * INTO old FROM api_keys k WHERE k.id = wanted_key AND k.revoked_at IS NULL;
  SELECT * INTO maker FROM api_keys k WHERE k.id = old.maker_id;
  changed := jsonb_populate_record(old, fields);
  IF old.id IS NULL OR maker.revoked_at IS NOT NULL OR (maker.id IS NOT NULL AND changed.can_manage) THEN RETURN; END IF;
  IF fields ? 'revoked' THEN changed.revoked_at := now(); END IF;
  IF fields ? 'quota_nano' AND shared_quota_left(changed) < 0 THEN
    RAISE 'the quota of key % is below its use', wanted_key USING ERRCODE = 'check_violation';
  END IF;
  changed.max_concurrent := least(changed.max_concurrent, maker.max_concurrent);
  UPDATE api_keys k SET name = changed.name, quota_nano = changed.quota_nano, families = changed.families, models = changed.models,
    submit_per_minute = changed.submit_per_minute, query_per_minute = changed.query_per_minute,
    max_concurrent = changed.max_concurrent, expires_at = changed.expires_at, can_manage = changed.can_manage, scope = changed.scope,
    secret_hash = changed.secret_hash, last_four = changed.last_four, revoked_at = changed.revoked_at
  WHERE k.id = wanted_key;
  UPDATE api_keys k SET max_concurrent = changed.max_concurrent
  WHERE k.maker_id = wanted_key AND changed.max_concurrent IS NOT NULL AND (k.max_concurrent <= changed.max_concurrent) IS NOT TRUE;
  before := key_snapshot(old);
  after := key_snapshot(changed);
  RETURN NEXT;
END $$;

-- Whether a task may begin on a channel: the channel has fewer jobs than it may, counted with the slots that are kept for tasks that
-- have waited. A slot kept for this task is its own; if it came too late for it, one that is kept for a later turn is. A task that has
-- not waited does not go before those that wait and could begin there, as far as the first hundred in the line show.
-- An attempt uses no slot while its task is parked, which waits for its caller, nor once its vendor is done with it, as long as the
-- task's holder then has it: whoever takes the task over may call the vendor again.
CREATE OR REPLACE FUNCTION channel_has_slot(wanted_channel text, wanted_task text, max_open int) RETURNS boolean
LANGUAGE plpgsql STABLE AS $$
DECLARE
  own slot_waiters;
  open_jobs int;
BEGIN
  SELECT count(*) INTO open_jobs FROM task_attempts a JOIN tasks t ON t.id = a.task_id
  WHERE a.channel_id = wanted_channel AND a.state IN ('starting', 'accepted') AND NOT t.parked
    AND (a.answered_fence = t.fence) IS NOT TRUE;
  IF open_jobs >= max_open THEN RETURN false; END IF;
  SELECT * INTO own FROM slot_waiters w WHERE w.task_id = wanted_task;
  IF own.kept_on = wanted_channel AND own.kept_until > now() THEN RETURN true; END IF;
  IF open_jobs + (
    SELECT count(*) FROM slot_waiters w WHERE w.kept_on = wanted_channel AND w.kept_until > now()
      AND (own.kept_on IS NULL OR w.turn_at < own.turn_at)
  ) >= max_open THEN
    RETURN false;
  END IF;
  RETURN own.task_id IS NOT NULL OR NOT EXISTS (
    SELECT FROM (
      SELECT w.task_id FROM tasks n JOIN slot_waiters w ON w.model = n.model AND w.is_test = n.is_test
      WHERE n.id = wanted_task AND (w.kept_until > now()) IS NOT TRUE
      ORDER BY w.turn_at, w.task_id LIMIT 100
    ) w
    JOIN tasks t ON t.id = w.task_id
    WHERE (t.status IN ('completed', 'failed')) IS NOT TRUE AND t.attempt_state IS NULL AND t.deadline_at > now()
      AND NOT wanted_channel = ANY(t.barred_channels)
  );
END $$;

-- Claims one task of a key with a concurrency limit. Where the key has no slot free it returns no row, and the task awaits one in its row:
-- it was enqueued before its key got a lower limit, or a task that had waited for its caller went on. Each command of a function
-- sees what was committed before it began: the count is taken after the key is locked, so two claims never pass on the
-- same count. Locks: task, then key.
--
-- `IS NOT TRUE` keeps the look-up on the primary key: no partial index matches it, and the plan is made only once.
CREATE OR REPLACE FUNCTION claim_limited_task(wanted_task text, lease_seconds float8) RETURNS SETOF tasks LANGUAGE plpgsql AS $$
DECLARE
  due tasks;
  allowed int;
BEGIN
  SELECT * INTO due FROM tasks t
  WHERE t.id = wanted_task AND (t.status IN ('completed', 'failed')) IS NOT TRUE
    AND (t.lease_until IS NULL OR t.lease_until < now())
  FOR UPDATE;
  IF NOT FOUND THEN RETURN; END IF;
  SELECT k.max_concurrent INTO allowed FROM api_keys k WHERE k.id = due.key_id FOR UPDATE;
  IF due.status = 'submitted' AND allowed IS NOT NULL AND allowed <= key_slots_used(due.key_id, due.family, 'begun') THEN
    UPDATE tasks t SET awaits_key_slot = true, woken_at = now(), next_step_at = t.deadline_at WHERE t.id = wanted_task;
    RETURN;
  END IF;
  RETURN QUERY UPDATE tasks t
    SET fence = next_fence(t.fence), lease_until = now() + make_interval(secs => lease_seconds),
      status = CASE t.status WHEN 'submitted' THEN 'pending' ELSE t.status END,
      started_at = coalesce(t.started_at, now()), awaits_key_slot = false
    WHERE t.id = wanted_task RETURNING t.*;
END $$;

-- Targets of notices that an owner has, and has had within a day; tests that it has asked for within a day; and the addresses that were
-- tested within the last 10 seconds or whose test has not ended. Under a lock of the owner: whoever adds or tests one in the statement
-- that calls it is counted by the next, because each command of a function sees what was committed before it began.
CREATE OR REPLACE FUNCTION count_notice_targets(wanted_owner text) RETURNS TABLE (present bigint, today bigint, tests bigint, tested text[])
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('notice targets:' || wanted_owner, 0));
  RETURN QUERY SELECT count(*) FILTER (WHERE t.removed_at IS NULL), count(*) FILTER (WHERE t.created_at > now() - interval '1 day'),
    (
      SELECT count(*) FROM notice_messages m JOIN notice_targets s ON s.id = m.target_id
      WHERE s.owner = wanted_owner AND m.is_test AND m.created_at > now() - interval '1 day'
    ),
    ARRAY(
      SELECT s.address FROM notice_messages m JOIN notice_targets s ON s.id = m.target_id
      WHERE s.owner = wanted_owner AND m.is_test AND m.created_at > clock_timestamp() - interval '10 seconds'
    ) || ARRAY(
      SELECT s.address FROM notice_messages m JOIN notice_targets s ON s.id = m.target_id
      WHERE s.owner = wanted_owner AND m.is_test AND m.state = 'pending'
    )
  FROM notice_targets t WHERE t.owner = wanted_owner;
END $$;

-- The timeline of this server: a number that every promotion of a standby, and every recovery to a point in time, makes larger. Null where the
-- server does not show it, as some managed ones; then an operator raises the fences (`raise_fences`).
CREATE OR REPLACE FUNCTION database_timeline() RETURNS int LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int;
EXCEPTION WHEN others THEN
  RETURN NULL;
END $$;

-- Ends an attempt as one that nobody knows the outcome of, if it is open. For a statement that ends the attempt's task: the attempt may
-- have been begun while that statement waited for the task's lock, and is in no snapshot of it. A function's command takes a new one.
-- Nobody has to find out what became of a test's: no vendor charges for it.
CREATE OR REPLACE FUNCTION end_unseen_attempt(open_attempt text) RETURNS void LANGUAGE sql VOLATILE AS $$
  UPDATE task_attempts a SET state = 'unknown', detail = 'the task ended first', ended_at = now(),
    resolution = CASE WHEN t.is_test THEN 'not_paid' END, resolved_at = CASE WHEN t.is_test THEN now() END
  FROM tasks t WHERE a.id = open_attempt AND a.state IN ('starting', 'accepted') AND t.id = a.task_id
$$;

-- The first limit that one more upload would exceed, for example 'account_stored_bytes'; null: none. Limits come in the order
-- stored bytes, stored files, bytes a day, files a day; first those of the account, then those of the key. Days are UTC.
CREATE OR REPLACE FUNCTION exceeded_upload_limit(owner_account text, owner_key text, new_bytes bigint, limits bigint[])
RETURNS text LANGUAGE sql STABLE AS $$
  with usage as (
    select o.scope, o.first, coalesce(u.stored_bytes, 0) + new_bytes as stored_bytes, coalesce(u.stored_files, 0) + 1 as stored_files,
      case when u.day = (now() at time zone 'utc')::date then u.day_bytes else 0 end + new_bytes as day_bytes,
      case when u.day = (now() at time zone 'utc')::date then u.day_files else 0 end + 1 as day_files
    from (values ('account', 1, 'account:' || owner_account), ('key', 5, 'key:' || owner_key)) as o(scope, first, owner)
    left join storage_usages u on u.owner = o.owner
  )
  select u.scope || '_' || w.what
  from usage u, lateral (values (0, 'stored_bytes', u.stored_bytes), (1, 'stored_files', u.stored_files),
    (2, 'day_bytes', u.day_bytes), (3, 'day_files', u.day_files)) as w(place, what, wanted)
  where w.wanted > limits[u.first + w.place]
  order by u.first, w.place limit 1
$$;

-- The epoch that fences are given in. A standby that was promoted is in a new one from its first statement on, before anybody has noted it:
-- the lost primary gave what it did not replicate on another timeline. Each timeline between the noted one and this one counts, because its note
-- may be lost, too. Two standbys of one timeline that share no archive of WAL give their next one the same number: the second promotion is not
-- found here, and an operator raises the fences (`raise_fences`).
CREATE OR REPLACE FUNCTION fence_epoch() RETURNS int LANGUAGE plpgsql STABLE AS $$
DECLARE
  latest fence_epochs;
  timeline int := database_timeline();
BEGIN
  SELECT * INTO latest FROM fence_epochs e ORDER BY e.epoch DESC LIMIT 1;
  IF timeline IS NULL OR timeline = latest.timeline THEN RETURN coalesce(latest.epoch, 0); END IF;
  RETURN coalesce(latest.epoch, 0) + greatest(1, timeline - latest.timeline);
END $$;

-- The least time-ordered id that a process could make at a moment, by the clock of the database: 10 digits of base32 for the milliseconds,
-- and 16 zeros in the place of the random ones. Whatever is deleted or summed up by the age of its id is compared with this.
CREATE OR REPLACE FUNCTION first_id_at(moment timestamptz) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT string_agg(substr('0123456789abcdefghjkmnpqrstvwxyz', ((m.ms >> (5 * n)) & 31)::int + 1, 1), '' ORDER BY n DESC) || repeat('0', 16)
  FROM (SELECT greatest(floor(extract(epoch FROM moment) * 1000), 0)::bigint AS ms) m, generate_series(0, 9) n
$$;

-- Gives the free slots of a key in a family to the tasks that await one, the oldest first. From then on they wait for the dispatcher like
-- any other, as if they had been submitted a second ago. Returns them, to be enqueued where no start waits before them.
--
-- Slots are counted under the lock of the key, as bookings and claims do, so it may be called as often as one likes. Where no task awaits
-- a slot nothing is locked: a task begins to await one only under that lock, and only while all slots are used or another task awaits one.
-- A task whose row is locked is just being ended, and is passed over. A key that has no limit any more lets 500 tasks go on at a time.
-- Fails where the key's row is held for more than 250 ms; the dispatcher then hands over.
--
-- The order is that of one index alone, so no plan walks all open tasks by their ids; and the ids are an array, of which every plan expects
-- few, where a plan that is made once expects a tenth of all that await a slot.
CREATE OR REPLACE FUNCTION hand_over_key_slots(wanted_key text, wanted_family text) RETURNS TABLE (id text, fence int)
LANGUAGE plpgsql AS $$
DECLARE
  allowed int;
  free int := 500;
BEGIN
  PERFORM 1 FROM tasks t
  WHERE t.key_id = wanted_key AND t.family = wanted_family AND t.status = 'submitted' AND t.awaits_key_slot
  ORDER BY t.created_at, t.id LIMIT 1;
  IF NOT FOUND THEN RETURN; END IF;
  PERFORM set_config('lock_timeout', '250', true);
  SELECT k.max_concurrent INTO allowed FROM api_keys k WHERE k.id = wanted_key FOR UPDATE;
  IF allowed IS NOT NULL THEN free := least(free, allowed - key_slots_used(wanted_key, wanted_family, 'admitted')); END IF;
  IF free <= 0 THEN RETURN; END IF;
  RETURN QUERY
  UPDATE tasks t SET awaits_key_slot = false, woken_at = NULL, next_step_at = now() - interval '1 second'
  WHERE t.id = ANY(ARRAY(
    SELECT w.id FROM tasks w
    WHERE w.key_id = wanted_key AND w.family = wanted_family AND w.status = 'submitted' AND w.awaits_key_slot
    ORDER BY w.created_at, w.id LIMIT free FOR UPDATE SKIP LOCKED
  ))
  RETURNING t.id, t.fence;
END $$;

-- Keeps the free slots of a channel for the tasks whose turn it is, and makes them due. Returns them, to be enqueued. A slot is kept
-- for 20 s, so that slow files do not occupy one for long: whoever does not come until then goes behind the others. Counted under the
-- lock of the channel, as attempts are begun; who holds a task's row is at work on it, so it is passed over. The first thousand in the
-- line of each model are looked at. A channel that rests has none to hand over, and after that no more than its pace. `max_open` null:
-- the channel has no limit, and 50 at a time are let on.
--
-- `answered`, with the fences of their tasks: attempts whose vendor is done, so that their slots are free while results are stored. One
-- whose row is locked is just being ended, which frees its slot too.
CREATE OR REPLACE FUNCTION hand_over_slots(
  wanted_channel text, served_models text[], of_tests boolean, max_open int,
  answered text[] DEFAULT '{}', answered_fences int[] DEFAULT '{}'
) RETURNS TABLE (id text, fence int, family text) LANGUAGE plpgsql AS $$
DECLARE
  free int;
  pace channel_paces;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('channel:' || wanted_channel, 0));
  UPDATE task_attempts a SET answered_fence = f.fence
  FROM (
    SELECT o.id, n.fence FROM unnest(answered, answered_fences) AS n(id, fence) JOIN task_attempts o ON o.id = n.id
    WHERE o.channel_id = wanted_channel AND o.state IN ('starting', 'accepted')
    FOR UPDATE OF o SKIP LOCKED
  ) f
  WHERE a.id = f.id;
  free := coalesce(max_open, 50) - (SELECT count(*) FROM slot_waiters w WHERE w.kept_on = wanted_channel AND w.kept_until > now());
  IF max_open IS NOT NULL THEN
    free := free - (
      SELECT count(*) FROM task_attempts a JOIN tasks t ON t.id = a.task_id
      WHERE a.channel_id = wanted_channel AND a.state IN ('starting', 'accepted') AND NOT t.parked
        AND (a.answered_fence = t.fence) IS NOT TRUE
    );
  END IF;
  SELECT * INTO pace FROM channel_paces p WHERE p.channel_id = wanted_channel AND p.cooling_until > now() - interval '1 minute';
  IF pace.cooling_until > now() THEN RETURN; END IF;
  IF pace.channel_id IS NOT NULL THEN free := least(free, ceil(greatest(coalesce(pace.ceiling, 5), 1))::int); END IF;
  IF free <= 0 THEN RETURN; END IF;
  RETURN QUERY
  WITH first AS MATERIALIZED (
    SELECT f.task_id FROM unnest(served_models) AS m(model) CROSS JOIN LATERAL (
      SELECT w.task_id, w.turn_at FROM (
        SELECT e.task_id, e.turn_at FROM slot_waiters e
        WHERE e.model = m.model AND e.is_test = of_tests AND (e.kept_until > now()) IS NOT TRUE
        ORDER BY e.turn_at, e.task_id LIMIT 1000
      ) w
      JOIN tasks t ON t.id = w.task_id
      WHERE (t.status IN ('completed', 'failed')) IS NOT TRUE AND t.attempt_state IS NULL AND t.deadline_at > now()
        AND (t.lease_until IS NULL OR t.lease_until < now()) AND NOT wanted_channel = ANY(t.barred_channels)
      ORDER BY w.turn_at, w.task_id LIMIT free
    ) f
    ORDER BY f.turn_at, f.task_id LIMIT free
  ),
  next AS MATERIALIZED (
    -- Locked as they are by now: who ended meanwhile must not be changed.
    SELECT t.id AS task_id FROM first f JOIN tasks t ON t.id = f.task_id JOIN slot_waiters w ON w.task_id = f.task_id
    WHERE (w.kept_until > now()) IS NOT TRUE AND (t.status IN ('completed', 'failed')) IS NOT TRUE AND t.attempt_state IS NULL
      AND t.deadline_at > now() AND (t.lease_until IS NULL OR t.lease_until < now()) AND NOT wanted_channel = ANY(t.barred_channels)
    FOR UPDATE OF t, w SKIP LOCKED
  ),
  kept AS (
    UPDATE slot_waiters w SET kept_on = wanted_channel, kept_until = now() + interval '20 seconds'
    FROM next WHERE w.task_id = next.task_id
  )
  UPDATE tasks t SET next_step_at = date_trunc('milliseconds', now()) FROM next WHERE t.id = next.task_id
  RETURNING t.id, t.fence, t.family;
END $$;

-- Stores and counts a file of a task on its way to a vendor, or returns the one that another process has stored for the task meanwhile;
-- no row: the account would have more than `max_bytes`, or the key more than `max_key_bytes`, and nothing was written. The account's count
-- is locked first, so that simultaneous files cannot exceed either together, and the second of two equal ones finds the first. `input` is as
-- `keep_upload` takes it, with `max_key_bytes`. What a key has is summed up by `live_inputs` and not counted: there is nothing to keep right.
-- So that the account's lock is held for some milliseconds at most, a key has no more than 10,000 files. Without `max_key_bytes` it has no limit.
CREATE OR REPLACE FUNCTION keep_task_input(input jsonb, max_bytes bigint) RETURNS SETOF media_objects LANGUAGE plpgsql AS $$
DECLARE
  count_of CONSTANT text := 'inputs:' || (input ->> 'account_id');
  new_bytes CONSTANT bigint := (input ->> 'bytes')::bigint;
  key_bytes CONSTANT bigint := (input ->> 'max_key_bytes')::bigint;
BEGIN
  INSERT INTO storage_usages (owner, day) VALUES (count_of, (now() AT TIME ZONE 'utc')::date) ON CONFLICT DO NOTHING;
  PERFORM 1 FROM storage_usages u WHERE u.owner = count_of FOR UPDATE;
  RETURN QUERY SELECT m.* FROM media_objects m
    WHERE m.task_id = input ->> 'task_id' AND m.purpose = 'input' AND m.sha256 = decode(input ->> 'sha256', 'hex')
      AND m.deleted_at IS NULL AND m.expires_at > now()
    ORDER BY m.id LIMIT 1;
  IF FOUND THEN RETURN; END IF;
  IF key_bytes IS NOT NULL AND (
    SELECT count(*) >= 10000 OR new_bytes + coalesce(sum(l.bytes), 0) > key_bytes FROM (
      SELECT m.bytes FROM media_objects m
      WHERE m.key_id = input ->> 'key_id' AND m.purpose = 'input' AND m.deleted_at IS NULL LIMIT 10000
    ) l
  ) THEN RETURN; END IF;
  UPDATE storage_usages u SET stored_bytes = u.stored_bytes + new_bytes, stored_files = u.stored_files + 1
  WHERE u.owner = count_of AND u.stored_bytes + new_bytes <= max_bytes;
  IF NOT FOUND THEN RETURN; END IF;
  RETURN QUERY INSERT INTO media_objects AS m
    (id, account_id, key_id, task_id, purpose, storage_key, content_type, bytes, sha256, width, height, is_counted, expires_at)
  SELECT n.id, n.account_id, n.key_id, n.task_id, 'input', n.storage_key, n.content_type, n.bytes, decode(n.sha256, 'hex'), n.width, n.height, true,
    date_trunc('second', now() + make_interval(secs => n.life_ms / 1000))
  FROM jsonb_to_record(input) AS n (id text, account_id text, key_id text, task_id text, storage_key text, content_type text, bytes bigint,
    sha256 text, width int, height int, life_ms float8)
  RETURNING m.*;
END $$;

-- Records an upload and counts it, or returns the limit that forbids it and writes nothing. The counts of account and key are
-- locked first, always in this order, so that simultaneous uploads cannot exceed them together. `upload` has the columns of
-- `media_objects`, with `life_ms` in place of the times and `sha256` in hexadecimal.
CREATE OR REPLACE FUNCTION keep_upload(upload jsonb, limits bigint[])
RETURNS TABLE (exceeded text, created timestamptz, expires timestamptz) LANGUAGE plpgsql AS $$
DECLARE
  owner_account CONSTANT text := upload ->> 'account_id';
  owner_key CONSTANT text := upload ->> 'key_id';
  new_bytes CONSTANT bigint := (upload ->> 'bytes')::bigint;
  owners CONSTANT text[] := ARRAY['account:' || owner_account, 'key:' || owner_key];
  today CONSTANT date := (now() AT TIME ZONE 'utc')::date;
BEGIN
  INSERT INTO storage_usages (owner, day) SELECT o, today FROM unnest(owners) o ORDER BY o ON CONFLICT DO NOTHING;
  PERFORM 1 FROM storage_usages u WHERE u.owner = ANY(owners) ORDER BY u.owner FOR UPDATE;
  exceeded := exceeded_upload_limit(owner_account, owner_key, new_bytes, limits);
  IF exceeded IS NULL THEN
    UPDATE storage_usages u SET stored_bytes = u.stored_bytes + new_bytes, stored_files = u.stored_files + 1, day = today,
      day_bytes = CASE u.day WHEN today THEN u.day_bytes ELSE 0 END + new_bytes,
      day_files = CASE u.day WHEN today THEN u.day_files ELSE 0 END + 1
    WHERE u.owner = ANY(owners);
    INSERT INTO media_objects AS m
      (id, account_id, key_id, purpose, storage_key, content_type, bytes, sha256, width, height, seconds, pages, expires_at)
    SELECT n.id, n.account_id, n.key_id, n.purpose, n.storage_key, n.content_type, n.bytes, decode(n.sha256, 'hex'), n.width, n.height,
      n.seconds, n.pages, date_trunc('second', now() + make_interval(secs => n.life_ms / 1000))
    FROM jsonb_to_record(upload) AS n (id text, account_id text, key_id text, purpose text, storage_key text, content_type text,
      bytes bigint, sha256 text, width int, height int, seconds float8, pages int, life_ms float8)
    RETURNING m.created_at, m.expires_at INTO created, expires;
  END IF;
  RETURN NEXT;
END $$;

-- Counts the slots of a key in a family that its open tasks use; a task that waits for its caller uses none. `since` names the moment from
-- which a task counts: whoever chooses among tasks must not count those that it chooses among.
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
    SELECT count(*) FROM tasks t
    WHERE t.key_id = wanted_key AND t.family = wanted_family AND t.status NOT IN ('completed', 'failed')
      AND NOT t.awaits_key_slot AND NOT t.parked
      AND (since = 'admitted' OR t.status <> 'submitted' OR (since = 'enqueued' AND t.woken_at IS NOT NULL))
  );
END $$;

-- A key's own row for the audit log, without its secret and what it has spent; not what its maker's limits make of it. The quota stands
-- in nano-units, as decimal text, because JSON numbers are floats.
CREATE OR REPLACE FUNCTION key_snapshot(k api_keys) RETURNS jsonb LANGUAGE sql STABLE AS $$
select jsonb_build_object('id', k.id, 'accountId', k.account_id, 'name', k.name, 'lastFour', k.last_four, 'quota', k.quota_nano::text,
  'families', k.families, 'models', k.models, 'submitPerMinute', k.submit_per_minute, 'queryPerMinute', k.query_per_minute,
  'maxConcurrent', k.max_concurrent, 'manage', k.can_manage, 'scope', k.scope, 'isTest', k.is_test, 'makerId', k.maker_id, 'madeBy', k.made_by, 'createdAt', k.created_at,
  'expiresAt', k.expires_at, 'revokedAt', k.revoked_at,
  'lastUsedAt', (select u.last_used_at from api_key_uses u where u.key_id = k.id))
$$;

-- Adds a key to an account; `fields` has columns of `api_keys`. No row: there is no such account, or it is closed; the account has
-- `max_keys` keys already; or the key that makes it was revoked, or is of an account that is suspended.
--
-- What a user of the console makes is the account's: the key that stands for the user is written down, and binds nothing.
--
-- A key sees its account where `fields` do not say its scope, and one that another key makes only what it makes itself.
--
-- The account is locked first, as by bookings and by `change_key`: each command sees what was committed before it began, so no two
-- count the same keys, and the maker's limits are those that stand.
CREATE OR REPLACE FUNCTION make_key(fields jsonb, max_keys int) RETURNS SETOF api_keys LANGUAGE plpgsql AS $$
DECLARE
  made api_keys := jsonb_populate_record(NULL::api_keys, fields);
  maker api_keys;
  made_for_user text;
BEGIN
  PERFORM 1 FROM accounts a
  WHERE a.id = made.account_id AND (a.state = 'active' OR a.state = 'suspended' AND made.maker_id IS NULL) FOR UPDATE;
  IF NOT FOUND THEN RETURN; END IF;
  SELECT * INTO maker FROM api_keys k WHERE k.id = made.maker_id AND k.account_id = made.account_id AND k.revoked_at IS NULL;
  IF NOT FOUND AND made.maker_id IS NOT NULL THEN RETURN; END IF;
  SELECT u.credential_id INTO made_for_user FROM users u WHERE u.credential_id = made.maker_id;
  IF FOUND THEN made.maker_id := NULL; END IF;
  IF max_keys <= (
    SELECT count(*) FROM api_keys k LEFT JOIN api_keys o ON o.id = k.maker_id
    WHERE k.account_id = made.account_id AND k.revoked_at IS NULL AND o.revoked_at IS NULL
  ) THEN RETURN; END IF;
  made.scope := coalesce(made.scope, CASE WHEN made.maker_id IS NULL THEN 'account' ELSE 'own' END);
  RETURN QUERY INSERT INTO api_keys (id, account_id, secret_hash, last_four, is_test, maker_id, made_by, name, quota_nano, families, models,
      submit_per_minute, query_per_minute, max_concurrent, expires_at, can_manage, scope)
    VALUES (made.id, made.account_id, made.secret_hash, made.last_four, made.is_test OR maker.is_test IS TRUE, made.maker_id,
      made_for_user, made.name, made.quota_nano, made.families, made.models, made.submit_per_minute, made.query_per_minute,
      least(made.max_concurrent, maker.max_concurrent), made.expires_at, made.can_manage, made.scope)
    RETURNING *;
END $$;

-- Gives a user a link in place of the earlier ones of that purpose. No row: there is no such user, or a disabled one.
--
-- The user's links are made one at a time, and each command sees what was committed before it began: of two at once the later takes
-- the place of the earlier. No unique index says so, because the release before adds the new link before it deletes the former.
CREATE OR REPLACE FUNCTION make_user_link(wanted_hash bytea, wanted_user text, wanted_purpose text, life_seconds float8)
RETURNS SETOF user_links LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('user_links:' || wanted_user, 0));
  IF NOT EXISTS (SELECT FROM users u WHERE u.id = wanted_user AND u.disabled_at IS NULL) THEN RETURN; END IF;
  DELETE FROM user_links l WHERE l.user_id = wanted_user AND l.purpose = wanted_purpose;
  RETURN QUERY INSERT INTO user_links (token_hash, user_id, purpose, expires_at)
    VALUES (wanted_hash, wanted_user, wanted_purpose, now() + make_interval(secs => life_seconds))
    RETURNING *;
END $$;

-- The fence that follows one of a row: the next number, or the first of the database's epoch. An epoch has 100,000 fences of a row, many times
-- what one is claimed; the column has room for 21,474 epochs.
CREATE OR REPLACE FUNCTION next_fence(fence int) RETURNS int LANGUAGE sql STABLE AS $$
  SELECT greatest(fence + 1, least(fence_epoch(), 21474) * 100000)
$$;

-- Begins an epoch, so that no fence is given that a lost database may have given. `by` 0 writes down the one that a promotion has begun by itself;
-- more passes over epochs that the lost database may have begun. No row: the present epoch is written down already.
CREATE OR REPLACE FUNCTION raise_fences(why text, by int) RETURNS SETOF fence_epochs LANGUAGE sql VOLATILE AS $$
  INSERT INTO fence_epochs (epoch, timeline, cause, known_until)
  SELECT fence_epoch() + by, database_timeline(), why, pg_last_xact_replay_timestamp()
  WHERE fence_epoch() + by > (SELECT coalesce(max(e.epoch), -1) FROM fence_epochs e)
  ON CONFLICT DO NOTHING
  RETURNING *
$$;

-- Processes of 0.1 call it while a deployment replaces them: `keep_upload` without the columns that came with it. Release 0.2 brings
-- `keep_upload` and still has this one; the release after 0.2 drops it.
CREATE OR REPLACE FUNCTION record_upload(
  new_id text, owner_account text, owner_key text, new_storage_key text, new_content_type text, new_bytes bigint, new_sha256 bytea,
  new_width int, new_height int, life_ms float8, limits bigint[]
) RETURNS TABLE (exceeded text, created timestamptz, expires timestamptz) LANGUAGE sql AS $$
select s.exceeded, s.created, s.expires
from keep_upload(jsonb_build_object('id', new_id, 'account_id', owner_account, 'key_id', owner_key, 'purpose', 'upload',
  'storage_key', new_storage_key, 'content_type', new_content_type, 'bytes', new_bytes, 'sha256', encode(new_sha256, 'hex'),
  'width', new_width, 'height', new_height, 'life_ms', life_ms), limits) s
$$;

-- Trigger `tasks_status_forward`: status and progress of a task only go forward.
CREATE OR REPLACE FUNCTION refuse_backward_step() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'task % cannot go from % to %', OLD.id, OLD.status, NEW.status;
END $$;

-- Trigger of tables whose rows are only ever added: refuses every update and delete.
CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME;
END $$;

-- Trigger `price_overrides_in_time`: refuses a price that processes could learn of too late. Each goes by the prices that it knows for
-- 7 seconds (PRICES_KNOWN_MS of packages/billing). The trigger fires after all else of the statement, so that whatever it waited
-- for counts, and no setting of the session is needed. The code is that of a lost race: nothing was written, try again.
CREATE OR REPLACE FUNCTION refuse_late_price() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.effective_at < clock_timestamp() + interval '7 seconds' THEN
    RAISE EXCEPTION 'the price of % would be known too late', NEW.billing_key USING ERRCODE = 'serialization_failure';
  END IF;
  RETURN NULL;
END $$;

-- Trigger `setting_steps_in_time`: refuses a setting that decides what vendors are paid and that processes could learn of too late,
-- as `refuse_late_price` does. Each process goes by the settings that it knows for 7 seconds (SETTINGS_KNOWN_MS of packages/channels).
CREATE OR REPLACE FUNCTION refuse_late_setting() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.effective_at < clock_timestamp() + interval '7 seconds' THEN
    RAISE EXCEPTION 'the setting % of % would be known too late', NEW.field, NEW.name USING ERRCODE = 'serialization_failure';
  END IF;
  RETURN NULL;
END $$;

-- Trigger `tasks_terminal_is_final`: a completed or failed task never changes.
CREATE OR REPLACE FUNCTION refuse_terminal_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'task % has ended and never changes', OLD.id;
END $$;

-- What a key, with those that it made, can still spend of its quota; null: it has none. The keys that it made are of its account,
-- so whoever holds the account's lock sees a sum that nobody raises meanwhile.
CREATE OR REPLACE FUNCTION shared_quota_left(owner api_keys) RETURNS bigint LANGUAGE sql STABLE AS $$
select case when owner.quota_nano is not null then owner.quota_nano - owner.held_nano - owner.settled_nano
  - (select coalesce(sum(made.held_nano + made.settled_nano), 0)::bigint from api_keys made where made.maker_id = owner.id) end
$$;

-- Processes of 0.1 call it while a deployment replaces them: `book_tasks` without the columns that came with it. Release 0.2 brings
-- `book_tasks` and still has this one; the release after 0.2 drops it.
CREATE OR REPLACE FUNCTION submit_tasks(
  task_ids text[], account_ids text[], key_ids text[], amounts bigint[], idempotency_key_texts text[],
  request_hashes bytea[], payloads text[], idempotency_seconds int, lock_wait_ms int
) RETURNS TABLE (decision text, earlier_task_id text, earlier_warnings text[]) LANGUAGE sql AS $$
select b.decision, b.earlier_task_id, b.earlier_warnings
from book_tasks(task_ids, account_ids, key_ids, amounts, idempotency_key_texts, request_hashes, payloads,
  idempotency_seconds, lock_wait_ms) b
$$;

-- Adds the next reservations, in the order of their tasks' ids, to the sums of their days: before `before_id`, `max_tasks` at most, and none
-- from the first on that is still held. Answers how many were counted, and how many it looked at.
--
-- The row of `usage_progress` is locked first. Each command of a function sees what was committed before it began, so that what is counted
-- here is what the last holder of that lock left behind: another run of this function, or who has changed a reservation. Whoever changes one
-- later finds it counted, and corrects its day. A resolved reservation never opens again, so that no submission and no end of a task waits here.
CREATE OR REPLACE FUNCTION sum_reservations(before_id text, max_tasks int)
RETURNS TABLE (counted bigint, looked_at bigint) LANGUAGE plpgsql AS $$
DECLARE
  after_id text;
BEGIN
SELECT p.summed_to INTO STRICT after_id FROM usage_progress p FOR UPDATE;
RETURN QUERY
with next as materialized (
  select r.* from reservations r where r.task_id > after_id and r.task_id < before_id order by r.task_id limit max_tasks
),
piece as materialized (
  select n.*, (n.created_at at time zone 'UTC')::date as day,
    (coalesce(n.resolved_at, n.created_at) at time zone 'UTC')::date as ended_on
  from next n
  where n.task_id < coalesce((select min(h.task_id) from next h where h.state = 'held'), before_id)
),
refund as materialized (
  select l.task_id, l.amount_nano from ledger_entries l
  where l.kind = 'adjust' and l.task_id is not null and l.task_id > after_id and l.task_id <= (select max(p.task_id) from piece p)
),
summed as (
  insert into usage_days as u (account_id, day, ended_on, key_id, family, model, channel_id, completed, failed, charged_nano,
    refunded_nano, cost_nano, cost_unknown)
  select p.account_id, p.day, p.ended_on, p.key_id, coalesce(p.family, ''), coalesce(p.model, ''), coalesce(p.channel_id, ''),
    count(*) filter (where p.state = 'settled'), count(*) filter (where p.state = 'refunded'), coalesce(sum(p.settled_nano), 0),
    coalesce(sum(f.amount_nano), 0), coalesce(sum(p.cost_nano), 0), count(*) filter (where p.cost_nano is null)
  from piece p left join refund f on f.task_id = p.task_id
  where not p.is_test
  group by 1, 2, 3, 4, 5, 6, 7
  on conflict (account_id, day, ended_on, key_id, family, model, channel_id) do update
    set completed = u.completed + excluded.completed, failed = u.failed + excluded.failed,
      charged_nano = u.charged_nano + excluded.charged_nano, refunded_nano = u.refunded_nano + excluded.refunded_nano,
      cost_nano = u.cost_nano + excluded.cost_nano, cost_unknown = u.cost_unknown + excluded.cost_unknown
  returning u.id, u.account_id, u.day, u.ended_on, u.key_id, u.family, u.model, u.channel_id
),
measured as (
  insert into usage_units as u (day_id, unit, quantity)
  select s.id, q.unit, sum(q.quantity::numeric)
  from piece p
  join summed s on s.account_id = p.account_id and s.day = p.day and s.ended_on = p.ended_on and s.key_id = p.key_id
    and s.family = coalesce(p.family, '') and s.model = coalesce(p.model, '') and s.channel_id = coalesce(p.channel_id, '')
  cross join lateral jsonb_each_text(p.units) as q(unit, quantity)
  where not p.is_test
  group by 1, 2
  on conflict (day_id, unit) do update set quantity = u.quantity + excluded.quantity
),
moved as (
  update usage_progress p set summed_to = c.last_id, newest_at = greatest(p.newest_at, c.newest_at)
  from (select max(task_id) as last_id, max(created_at) as newest_at from piece) c
  where c.last_id is not null
)
select (select count(*) from piece), (select count(*) from next);
END $$;

-- What a task's metadata entry is listed under in task_labels: short, and of one length whatever the entry's.
CREATE OR REPLACE FUNCTION task_label_hash(name text, value text) RETURNS bytea LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
select substring(sha256(convert_to(name, 'UTF8') || '\x00'::bytea || convert_to(value, 'UTF8')) for 16)
$$;

-- The hashes under which a task with this metadata is listed. The image tool's metadata may be any object: of that, at most 16
-- texts as short as those of other tasks are listed.
CREATE OR REPLACE FUNCTION task_label_hashes(metadata jsonb) RETURNS SETOF bytea LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
select task_label_hash(e.key, e.value #>> '{}') from jsonb_each(metadata) e
where jsonb_typeof(e.value) = 'string' and char_length(e.key) <= 64 and char_length(e.value #>> '{}') <= 512
order by e.key limit 16
$$;

-- A start on the channel was throttled: the channel rests, and goes on slowly. Returns for how many seconds it rests from now.
--
-- Of starts that were under way together the first one counts. A channel rests for 1 s, and for 2, 4 and 8 s if it is throttled
-- again within a second after a rest, each spread over 25 % both ways; longer where the vendor wants that.
--
-- The pace that it returns to is what the vendor took in the 5 seconds before, by attempts with an id of `counted_from` or later; of a
-- channel that was paced already, what it took in the second before the last, if that is more: starts are even then, and the seconds
-- before may have been slower. A call of more than a second that is still being answered was taken: refusals come sooner.
CREATE OR REPLACE FUNCTION throttle_channel(
  throttled_channel text, throttled_attempt text, counted_from text, vendors_rest_seconds float8
) RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE
  began timestamptz := (SELECT started_at FROM task_attempts WHERE id = throttled_attempt);
  pace channel_paces;
  rest_seconds float8 := vendors_rest_seconds;
  took float8;
  took_in_second float8;
BEGIN
  INSERT INTO channel_paces (channel_id, throttled_at, cooling_until, next_start_at, strikes)
    VALUES (throttled_channel, 'epoch', 'epoch', 'epoch', 0) ON CONFLICT DO NOTHING;
  SELECT * INTO pace FROM channel_paces WHERE channel_id = throttled_channel FOR UPDATE;
  IF began > pace.throttled_at THEN
    IF began > pace.cooling_until + interval '1 second' THEN
      pace.strikes := 0;
      SELECT count(*) / 5.0, count(*) FILTER (WHERE a.started_at > now() - interval '2 seconds' AND a.started_at <= now() - interval '1 second')
        INTO took, took_in_second FROM task_attempts a
        WHERE a.id >= counted_from AND a.channel_id = throttled_channel
          AND (a.state IN ('accepted', 'succeeded') OR (a.state = 'starting' AND a.started_at <= now() - interval '1 second'));
      IF pace.cooling_until > now() - interval '1 minute' THEN took := greatest(took, took_in_second); END IF;
      pace.ceiling := coalesce(nullif(took, 0), pace.ceiling);
    END IF;
    pace.strikes := pace.strikes + 1;
    pace.throttled_at := now();
    rest_seconds := greatest(rest_seconds, least(2 ^ (pace.strikes - 1), 8) * (0.75 + random() / 2));
  END IF;
  pace.cooling_until := greatest(pace.cooling_until, now() + make_interval(secs => rest_seconds));
  UPDATE channel_paces p SET throttled_at = pace.throttled_at, cooling_until = pace.cooling_until, strikes = pace.strikes,
    ceiling = pace.ceiling, next_start_at = greatest(p.next_start_at, pace.cooling_until)
    WHERE p.channel_id = throttled_channel;
  RETURN extract(epoch FROM pace.cooling_until - now());
END $$;

-- Closes an attempt that never reached its vendor. For a statement that takes the attempt back from its task: the attempt may have been
-- begun while that statement waited for the task's lock, and is in no snapshot of it. A function's command takes a new one.
CREATE OR REPLACE FUNCTION withdraw_attempt(unsent_attempt text, why text, explained text) RETURNS void LANGUAGE sql VOLATILE AS $$
  UPDATE task_attempts a SET state = 'refused', fault = why, detail = explained, cost_nano = 0, ended_at = now()
  WHERE a.id = unsent_attempt AND a.state = 'starting'
$$;

CREATE TRIGGER "ledger_entries_append_only" BEFORE UPDATE OR DELETE ON "ledger_entries"
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER "price_overrides_append_only" BEFORE UPDATE OR DELETE ON "price_overrides"
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER "price_overrides_in_time" AFTER INSERT ON "price_overrides"
  FOR EACH ROW EXECUTE FUNCTION refuse_late_price();
CREATE TRIGGER "setting_steps_append_only" BEFORE UPDATE OR DELETE ON "setting_steps"
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER "setting_steps_in_time" AFTER INSERT ON "setting_steps"
  FOR EACH ROW WHEN (NEW.field IN ('models', 'costs', 'credit_cost')) EXECUTE FUNCTION refuse_late_setting();
CREATE TRIGGER "tasks_status_forward" BEFORE UPDATE ON "tasks"
  FOR EACH ROW WHEN (
    array_position(ARRAY['submitted', 'pending', 'processing', 'completed', 'failed'], OLD.status)
    > array_position(ARRAY['submitted', 'pending', 'processing', 'completed', 'failed'], NEW.status)
    OR NEW.progress < OLD.progress
  ) EXECUTE FUNCTION refuse_backward_step();
CREATE TRIGGER "tasks_terminal_is_final" BEFORE UPDATE ON "tasks"
  FOR EACH ROW WHEN (OLD.status IN ('completed', 'failed')) EXECUTE FUNCTION refuse_terminal_change();

-- Rows that a database begins with.

INSERT INTO "settings_version" DEFAULT VALUES;
INSERT INTO "usage_progress" ("id") VALUES (1);
-- The audit seals what was committed before the transactions that were under way here.
INSERT INTO "ledger_seal" ("id", "next_xid") VALUES (1, pg_snapshot_xmax(pg_current_snapshot())::text::bigint);
INSERT INTO "fence_epochs" ("epoch", "timeline", "cause") VALUES (0, database_timeline(), 'migrated');
