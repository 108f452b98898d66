-- For invoices: what was paid to an account, taken from it and given back by hand, which is little beside what its tasks book.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "ledger_entries_payments" ON "ledger_entries" ("account_id", "created_at") WHERE kind IN ('top_up', 'adjust');
