-- For the reconciler, which looks whether the queue still has the jobs of tasks that are due: all open ones that do not wait for the dispatcher.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "tasks_watched" ON "tasks" ("family", "next_step_at", "id")
  WHERE (status IN ('completed', 'failed')) IS NOT TRUE AND (status = 'submitted' AND woken_at IS NULL) IS NOT TRUE;
