-- For the children of a key, whose spending counts against its quota.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "api_keys_maker_id_idx" ON "api_keys"("maker_id");
