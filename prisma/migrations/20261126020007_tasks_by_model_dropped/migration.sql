-- In its place is "tasks_ended_by_model".
DROP INDEX IF EXISTS "tasks_account_id_family_model_id_idx";
