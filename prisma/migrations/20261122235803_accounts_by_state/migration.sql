CREATE INDEX CONCURRENTLY IF NOT EXISTS "accounts_inactive" ON "accounts" ("state", "id") WHERE state <> 'active';
