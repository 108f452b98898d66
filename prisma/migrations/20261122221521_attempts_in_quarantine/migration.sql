-- For the operators' list of attempts whose outcome nobody knows.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "task_attempts_in_quarantine" ON "task_attempts" ("id") WHERE state = 'unknown';
