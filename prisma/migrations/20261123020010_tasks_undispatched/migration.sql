-- For the dispatcher: the accounts that wait in a family, one after the other, and the tasks of each by age.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "tasks_undispatched" ON "tasks" ("family", "account_id", "next_step_at", "id")
  WHERE (status <> 'submitted' OR woken_at IS NOT NULL) IS NOT TRUE;
