CREATE INDEX CONCURRENTLY IF NOT EXISTS "user_links_user_id_idx" ON "user_links"("user_id");
