-- Rows of files whose bytes are gone go in the order in which those went.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "media_objects_deleted" ON "media_objects" (deleted_at) WHERE deleted_at IS NOT NULL;
