-- "api_keys_account_id_created_at_id_idx" begins with the same column.
DROP INDEX "api_keys_account_id_idx";
