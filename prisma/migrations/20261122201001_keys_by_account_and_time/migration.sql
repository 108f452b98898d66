-- For lists of the keys of an account, the newest first.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "api_keys_account_id_created_at_id_idx" ON "api_keys"("account_id", "created_at", "id");
