CREATE INDEX CONCURRENTLY IF NOT EXISTS "audit_log_subject_id_idx" ON "audit_log"("subject", "id");
