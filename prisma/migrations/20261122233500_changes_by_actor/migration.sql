CREATE INDEX CONCURRENTLY IF NOT EXISTS "audit_log_actor_id_idx" ON "audit_log"("actor", "id");
