-- For lists of the tasks that go back to one: in order, which "tasks_parent_idx" has not.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "tasks_by_parent" ON "tasks" ("parent_task_id", "id") WHERE parent_task_id IS NOT NULL;
