CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "users_identity_account_id_key" ON "users"("identity", "account_id");
