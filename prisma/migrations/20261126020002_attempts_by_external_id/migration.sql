-- Attempts of vendors that answer at once have no job there: they are not in it.
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "task_attempts_by_external_id" ON "task_attempts" ("channel_id", "external_id") WHERE external_id IS NOT NULL;
