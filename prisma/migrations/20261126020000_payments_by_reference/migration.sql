-- Holds and settlements, which are nearly all entries, have no reference: they are not in it.
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "ledger_entries_by_reference" ON "ledger_entries" ("reference") WHERE reference IS NOT NULL;
