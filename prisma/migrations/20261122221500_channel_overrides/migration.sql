-- CreateTable
CREATE TABLE "channel_overrides" (
    "channel_id" TEXT NOT NULL,
    "state" TEXT,
    "weight" INTEGER,
    "set_by" TEXT NOT NULL DEFAULT '',
    "reason" TEXT,
    "set_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "channel_overrides_pkey" PRIMARY KEY ("channel_id")
);

-- CreateTable
CREATE TABLE "open_breakers" (
    "process_id" TEXT NOT NULL,
    "channel_id" TEXT NOT NULL,
    "opened_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "seen_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "open_breakers_pkey" PRIMARY KEY ("process_id","channel_id")
);

ALTER TABLE "channel_overrides"
  ADD CONSTRAINT "channel_overrides_state_known" CHECK (state IN ('draining', 'disabled')),
  ADD CONSTRAINT "channel_overrides_weight_range" CHECK (weight BETWEEN 1 AND 1000);
