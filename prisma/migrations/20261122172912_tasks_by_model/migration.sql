-- For lists of an account's tasks of a model, or of a family: by each model that the account has used in it.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "tasks_account_id_family_model_id_idx" ON "tasks" ("account_id", "family", "model", "id");
