-- Of the attempts in quarantine those that nobody has resolved.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "task_attempts_unresolved" ON "task_attempts" ("id") WHERE state = 'unknown' AND resolution IS NULL;
