-- For lists of an account's tasks that have failed.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "tasks_failed_by_account" ON "tasks" ("account_id", "id") WHERE status = 'failed';
