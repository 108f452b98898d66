CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "user_links_user_id_purpose_key" ON "user_links"("user_id", "purpose");
