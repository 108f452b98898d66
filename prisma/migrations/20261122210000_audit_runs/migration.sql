-- CreateTable
CREATE TABLE "audit_runs" (
    "id" BIGSERIAL NOT NULL,
    "requested_at" TIMESTAMPTZ(3),
    "started_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),
    "violations" JSONB NOT NULL DEFAULT '[]',

    CONSTRAINT "audit_runs_pkey" PRIMARY KEY ("id")
);
