-- For lists of an account's tasks that have not ended.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "tasks_open_by_account" ON "tasks" ("account_id", "id")
  WHERE status NOT IN ('completed', 'failed');
