-- For the operators' list of callbacks that were not delivered, over all accounts.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "webhook_deliveries_given_up" ON "webhook_deliveries" ("state", "id")
  WHERE state IN ('rejected', 'exhausted', 'dropped');
