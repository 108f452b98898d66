-- Entries of a release that wrote no balance, of which there are none or few: the audit by the clock looks for them beside each entry.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "ledger_entries_without_balance" ON "ledger_entries" ("account_id", "created_at")
  WHERE balance_after_nano IS NULL;
