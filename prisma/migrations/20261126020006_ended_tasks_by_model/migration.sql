-- Tasks that are open are listed by "tasks_open_by_account": each of their changes would be an entry here.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "tasks_ended_by_model" ON "tasks" ("account_id", "family", "model", "id") WHERE status IN ('completed', 'failed');
