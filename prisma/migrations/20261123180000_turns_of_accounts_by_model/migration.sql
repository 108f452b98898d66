CREATE INDEX CONCURRENTLY IF NOT EXISTS "slot_waiters_account_id_family_is_test_model_turn_at_idx" ON "slot_waiters"("account_id", "family", "is_test", "model", "turn_at");
