-- Names by their beginning, in any letter case.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "accounts_by_name" ON "accounts" ((lower(name) COLLATE "C"), "id");
