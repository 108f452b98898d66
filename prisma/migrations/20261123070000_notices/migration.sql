-- CreateTable
CREATE TABLE "notices" (
    "id" BIGSERIAL NOT NULL,
    "owner" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "account_id" TEXT,
    "level" INTEGER NOT NULL DEFAULT 0,
    "figures" JSONB NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),
    "closed_at" TIMESTAMPTZ(3),
    "reported" TEXT,
    "reported_at" TIMESTAMPTZ(3),
    "standing_reported_at" TIMESTAMPTZ(3),
    "reported_level" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "notices_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "notice_targets" (
    "id" TEXT NOT NULL,
    "owner" TEXT NOT NULL,
    "medium" TEXT NOT NULL,
    "address" TEXT NOT NULL,
    "kinds" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "language" TEXT NOT NULL,
    "secret" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "removed_at" TIMESTAMPTZ(3),

    CONSTRAINT "notice_targets_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "notice_messages" (
    "id" TEXT NOT NULL,
    "target_id" TEXT NOT NULL,
    "is_test" BOOLEAN NOT NULL DEFAULT false,
    "notices" JSONB NOT NULL,
    "more" INTEGER NOT NULL DEFAULT 0,
    "state" TEXT NOT NULL DEFAULT 'pending',
    "reason" TEXT,
    "attempts_made" INTEGER NOT NULL DEFAULT 0,
    "fence" INTEGER NOT NULL DEFAULT 0,
    "lease_until" TIMESTAMPTZ(3),
    "next_attempt_at" TIMESTAMPTZ(3) DEFAULT CURRENT_TIMESTAMP,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "notice_messages_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "notice_settings" (
    "owner" TEXT NOT NULL,
    "low_balance_nano" BIGINT,
    "key_quota_percents" INTEGER[] DEFAULT ARRAY[]::INTEGER[],
    "callbacks_failed" INTEGER,
    "channel_minutes" INTEGER,
    "repeat_minutes" INTEGER,
    "quiet_minutes" INTEGER,

    CONSTRAINT "notice_settings_pkey" PRIMARY KEY ("owner")
);

-- CreateIndex
CREATE INDEX "notices_owner_id_idx" ON "notices"("owner", "id");

-- CreateIndex
CREATE INDEX "notice_targets_owner_idx" ON "notice_targets"("owner");

-- CreateIndex
CREATE INDEX "notice_messages_target_id_created_at_idx" ON "notice_messages"("target_id", "created_at");

-- CreateIndex
CREATE INDEX "notice_messages_created_at_idx" ON "notice_messages"("created_at");

-- What two reconcilers find at once is one notice.
CREATE UNIQUE INDEX "notices_open" ON "notices" ("owner", "kind", "subject") WHERE closed_at IS NULL;
CREATE INDEX "notices_closed" ON "notices" ("closed_at") WHERE closed_at IS NOT NULL;
CREATE INDEX "notice_messages_due" ON "notice_messages" ("next_attempt_at") WHERE state = 'pending';

ALTER TABLE "notices" ADD CONSTRAINT "notices_reported" CHECK (reported IN ('standing', 'resolved')),
  ADD CONSTRAINT "notices_closed_once_over" CHECK (closed_at IS NULL OR ended_at IS NOT NULL);
ALTER TABLE "notice_targets" ADD CONSTRAINT "notice_targets_medium" CHECK (medium IN ('webhook', 'email', 'slack'));
ALTER TABLE "notice_messages" ADD CONSTRAINT "notice_messages_state"
  CHECK (state IN ('pending', 'delivered', 'rejected', 'exhausted', 'dropped'));
