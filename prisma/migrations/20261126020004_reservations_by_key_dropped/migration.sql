-- Nothing reads it: sums of a key are made of all reservations, or of those that changed, by their tasks.
DROP INDEX IF EXISTS "reservations_key_id_idx";
