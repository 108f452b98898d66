-- In its place is "webhook_deliveries_undelivered".
DROP INDEX IF EXISTS "webhook_deliveries_given_up";
