-- Simultaneous requests for an audit end in one.
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "audit_runs_one_waiting" ON "audit_runs" ((true)) WHERE started_at IS NULL AND ended_at IS NULL;
