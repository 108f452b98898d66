-- For lists of the tasks of keys that see only their own. By its collation it serves those alone who ask for it: whoever looks up tasks
-- by `key_id` and more must not be planned through all that the key has ever made.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "tasks_key_id_id_idx" ON "tasks" ("key_id" COLLATE "C", "id");
