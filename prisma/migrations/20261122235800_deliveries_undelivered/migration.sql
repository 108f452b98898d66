-- For lists of callbacks over all accounts: by state, those of the newest tasks first.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "webhook_deliveries_undelivered" ON "webhook_deliveries" ("state", "task_id") WHERE state <> 'delivered';
