CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "audit_log_actor_idempotency_key_key" ON "audit_log"("actor", "idempotency_key");
