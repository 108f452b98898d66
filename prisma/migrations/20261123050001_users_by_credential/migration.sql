-- For the audit log: who stands behind a token or key.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "users_credential_id_idx" ON "users" ("credential_id");
