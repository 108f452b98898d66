CREATE INDEX CONCURRENTLY IF NOT EXISTS "audit_log_action_id_idx" ON "audit_log"("action", "id");
