CREATE INDEX CONCURRENTLY IF NOT EXISTS "notice_messages_due_by_target" ON "notice_messages" ("target_id", "next_attempt_at") WHERE state = 'pending';
