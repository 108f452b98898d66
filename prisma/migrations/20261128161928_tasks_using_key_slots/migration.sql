-- For limits of keys: the tasks that use a slot, however many await one.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "tasks_using_key_slots" ON "tasks" ("key_id", "family")
  WHERE status NOT IN ('completed', 'failed') AND NOT awaits_key_slot;
