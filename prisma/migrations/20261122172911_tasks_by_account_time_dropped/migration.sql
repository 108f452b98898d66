-- "tasks_account_id_id_idx" has the same order.
DROP INDEX "tasks_account_id_created_at_idx";
