-- Nothing reads it: lists of callbacks go by their tasks, whose ids carry the time.
DROP INDEX IF EXISTS "webhook_deliveries_account_id_created_at_idx";
