-- What an account used between two days, without a look at the rest.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "reservations_account_id_created_at_idx" ON "reservations" ("account_id", "created_at");
