-- For lists of the tasks of keys that see only their own.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "tasks_key_id_id_idx" ON "tasks" ("key_id", "id");
