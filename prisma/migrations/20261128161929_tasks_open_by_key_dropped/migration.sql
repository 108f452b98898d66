-- In its place are "tasks_awaiting_key_slot" and "tasks_using_key_slots".
DROP INDEX IF EXISTS "tasks_open_by_key";
