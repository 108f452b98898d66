-- For notices: callbacks that were given up of late, and those that were tried three times and are tried on. What is delivered is never in it.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "webhook_deliveries_failing" ON "webhook_deliveries" ("ended_at")
  WHERE state IN ('rejected', 'exhausted', 'dropped') OR (state = 'pending' AND attempts_made >= 3);
