-- In its place is "ledger_entries_by_reference".
DROP INDEX IF EXISTS "ledger_entries_reference_key";
