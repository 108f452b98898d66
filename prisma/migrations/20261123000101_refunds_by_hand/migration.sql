-- For reports of usage and margin: what was given back by hand, of tasks in the order of their ids.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "ledger_entries_refunds_by_hand" ON "ledger_entries" ("task_id") WHERE kind = 'adjust' AND task_id IS NOT NULL;
