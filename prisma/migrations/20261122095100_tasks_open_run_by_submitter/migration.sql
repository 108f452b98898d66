-- For the reconciler, which looks for leases that have lapsed. The index has no column that a renewal changes, so that renewals
-- stay in place.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "tasks_open_run_by_submitter" ON "tasks" (id)
  WHERE run_by_submitter AND status NOT IN ('completed', 'failed');
