-- For lists of an account's files.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "uploads_by_account" ON "media_objects" ("account_id", "id") WHERE purpose = 'upload' AND deleted_at IS NULL;
