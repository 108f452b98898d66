-- For lists of an account's tasks. Ids sort by time: it takes the place of the index on the time.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "tasks_account_id_id_idx" ON "tasks" ("account_id", "id");
