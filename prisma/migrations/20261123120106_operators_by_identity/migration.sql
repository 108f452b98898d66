CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "users_operators_by_identity" ON "users"("identity") WHERE "account_id" IS NULL;
