-- Its place is taken by the index on account and time.
DROP INDEX "reservations_account_id_idx";
