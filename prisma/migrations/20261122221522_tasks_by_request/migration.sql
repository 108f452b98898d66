-- Request ids that callers sent. Our own, UUIDs of version 7, are found by their time: their tasks cost nothing here.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "tasks_by_request" ON "tasks" ("request_id", "id")
  WHERE request_id !~ '^[0-9a-f]{8}-[0-9a-f]{4}-7';
