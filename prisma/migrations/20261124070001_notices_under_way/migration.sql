CREATE INDEX CONCURRENTLY IF NOT EXISTS "notice_messages_under_way" ON "notice_messages" ("lease_until") WHERE state = 'pending' AND lease_until IS NOT NULL;
