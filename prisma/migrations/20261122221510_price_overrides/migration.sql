-- CreateTable
CREATE TABLE "price_overrides" (
    "id" BIGSERIAL NOT NULL,
    "billing_key" TEXT NOT NULL,
    "price" JSONB,
    "effective_at" TIMESTAMPTZ(3) NOT NULL,
    "set_by" TEXT NOT NULL,
    "reason" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "price_overrides_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "price_overrides_billing_key_effective_at_id_idx" ON "price_overrides"("billing_key", "effective_at", "id");

CREATE TRIGGER price_overrides_append_only BEFORE UPDATE OR DELETE ON "price_overrides"
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
