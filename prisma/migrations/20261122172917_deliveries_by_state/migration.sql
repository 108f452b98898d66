-- For lists of an account's tasks by how their callback stands.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "webhook_deliveries_account_id_state_task_id_idx" ON "webhook_deliveries" ("account_id", "state", "task_id");
