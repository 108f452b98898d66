-- Callbacks that are on their way by account, so that accounts take turns without all of them being sorted. What has ended is never in it.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "webhook_deliveries_due_by_account" ON "webhook_deliveries" ("account_id", "next_attempt_at")
  WHERE state = 'pending';
