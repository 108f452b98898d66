-- For slots of keys: the tasks that await one, the oldest first. No other index has this order, so no plan passes over it.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "tasks_awaiting_key_slot" ON "tasks" ("key_id", "family", "created_at", "id")
  WHERE status = 'submitted' AND awaits_key_slot;
