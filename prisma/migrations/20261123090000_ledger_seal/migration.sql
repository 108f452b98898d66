ALTER TABLE "audit_runs" ADD COLUMN "whole" BOOLEAN NOT NULL DEFAULT true;

CREATE TABLE "ledger_seal" (
    "id" INTEGER NOT NULL,
    "entry_id" BIGINT NOT NULL DEFAULT 0,
    "next_entry_id" BIGINT NOT NULL DEFAULT 0,
    "next_xid" BIGINT NOT NULL DEFAULT 0,
    "sealed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "ledger_seal_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "ledger_seal_is_one_row" CHECK ("id" = 1)
);
-- What stands already is sealed by the first audits, piece by piece.
INSERT INTO "ledger_seal" ("id", "next_entry_id", "next_xid")
SELECT 1, coalesce(max("id"), 0), pg_snapshot_xmax(pg_current_snapshot())::text::bigint FROM "ledger_entries";

CREATE TABLE "sealed_accounts" (
    "account_id" TEXT NOT NULL,
    "topped_up_nano" BIGINT NOT NULL,
    "held_nano" BIGINT NOT NULL,
    "settled_nano" BIGINT NOT NULL,

    CONSTRAINT "sealed_accounts_pkey" PRIMARY KEY ("account_id")
);

CREATE TABLE "sealed_keys" (
    "key_id" TEXT NOT NULL,
    "held_nano" BIGINT NOT NULL,
    "settled_nano" BIGINT NOT NULL,

    CONSTRAINT "sealed_keys_pkey" PRIMARY KEY ("key_id")
);
