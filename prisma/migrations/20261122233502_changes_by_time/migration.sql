CREATE INDEX CONCURRENTLY IF NOT EXISTS "audit_log_created_at_idx" ON "audit_log"("created_at");
