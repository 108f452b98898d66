CREATE INDEX CONCURRENTLY IF NOT EXISTS "api_keys_created_at_id_idx" ON "api_keys"("created_at", "id");
