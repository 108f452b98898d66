-- AlterTable
ALTER TABLE "audit_log" ADD COLUMN     "idempotency_key" TEXT,
ADD COLUMN     "request_hash" BYTEA;

-- CreateTable
CREATE TABLE "operator_tokens" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "secret_hash" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_used_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "operator_tokens_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "operator_tokens_role_check" CHECK ("role" IN ('read', 'support', 'billing', 'admin'))
);
