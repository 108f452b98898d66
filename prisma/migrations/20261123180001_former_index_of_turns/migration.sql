-- DropIndex
DROP INDEX "slot_waiters_account_id_family_is_test_turn_at_idx";
