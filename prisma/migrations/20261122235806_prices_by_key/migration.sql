CREATE INDEX CONCURRENTLY IF NOT EXISTS "price_overrides_billing_key_id_idx" ON "price_overrides"("billing_key", "id");
