-- For the reconciler, which looks for tasks that were not begun in time. An attempt that begins takes its task out.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "tasks_unstarted" ON "tasks" (start_by)
  WHERE start_by IS NOT NULL AND status NOT IN ('completed', 'failed');
