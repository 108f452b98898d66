CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "users_email_account_id_key" ON "users"("email", "account_id") NULLS NOT DISTINCT;
