-- For what a key's files for vendors take, and for those whose tasks have ended.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "live_inputs" ON "media_objects" ("key_id", "task_id", "id") INCLUDE ("bytes") WHERE purpose = 'input' AND deleted_at IS NULL;
