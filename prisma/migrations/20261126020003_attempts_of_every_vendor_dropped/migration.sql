-- In its place is "task_attempts_by_external_id".
DROP INDEX IF EXISTS "task_attempts_channel_id_external_id_key";
