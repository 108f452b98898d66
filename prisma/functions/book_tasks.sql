-- Decides and books any number of submissions in one call, which is one transaction. Its stages, each a function of its own or a command here:
--
-- 1. Lock. Accounts, then keys, are locked in id order, so two batches never wait for each other in a circle. Each command of a
--    function sees what was committed before it began, so the decisions rest on what the last holder of the locks left
--    behind. An account whose row somebody holds for long fails the batch after lock_wait_ms; the others of the batch
--    are then submitted without it.
-- 2. `judge_bookings` decides whatever needs no money: a submission that was sent before, and who may not submit.
-- 3. `fund_bookings`, in order of arrival, while the money of account and keys lasts. Whoever comes after is left undecided and asked
--    again: a running total must not refuse a small task because of a larger one. The first submission of each account is always decided.
-- 4. `admit_bookings`, while their keys have slots free.
-- 5. `claim_idempotency_keys`. Twins of one batch do not get theirs, and find the winner when asked again.
-- 6. `write_booked_tasks` and `debit_bookings`, for those that have come so far. Nothing changes for the others.
--
-- Whoever is refused for money is told what the account, or the key, had available and held as that was decided. Whoever is accepted is
-- told what is held for the task.
--
-- The arrays are of one length; idempotency keys and hashes may be null; a payload is a JSON text with the task's other
-- columns. Rows come back in the order of the arrays. A `booking` is one submission on its way through the stages; the migration
-- that creates this type says what each field has.
CREATE OR REPLACE FUNCTION book_tasks(
  task_ids text[], account_ids text[], key_ids text[], amounts bigint[], idempotency_key_texts text[],
  request_hashes bytea[], payloads text[], idempotency_seconds int, lock_wait_ms int
) RETURNS TABLE (
  decision text, earlier_task_id text, earlier_warnings text[], available_nano bigint, held_nano bigint
) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  bookings booking[]; funded booking[]; admitted booking[]; booked booking[];
  awaiting bigint[];
BEGIN
  PERFORM set_config('lock_timeout', lock_wait_ms::text, true);
  PERFORM 1 FROM accounts a WHERE a.id = ANY(account_ids) ORDER BY a.id FOR UPDATE;
  PERFORM 1 FROM api_keys k WHERE k.id = ANY(key_ids) ORDER BY k.id FOR UPDATE;
  bookings := judge_bookings(task_ids, account_ids, key_ids, amounts, idempotency_key_texts, request_hashes, payloads);
  funded := fund_bookings(bookings);
  SELECT a.admitted, a.awaiting INTO admitted, awaiting FROM admit_bookings(funded) a;
  booked := claim_idempotency_keys(admitted, idempotency_seconds);
  PERFORM write_booked_tasks(booked, awaiting);
  PERFORM debit_bookings(booked);
  RETURN QUERY
  SELECT d.decision, d.earlier_task_id, (SELECT t.warnings FROM tasks t WHERE t.id = d.earlier_task_id),
    CASE d.decision WHEN 'insufficient_account' THEN d.account_balance WHEN 'insufficient_key' THEN d.key_available END,
    CASE d.decision WHEN 'insufficient_account' THEN d.account_held WHEN 'insufficient_key' THEN d.key_held
      WHEN 'accepted' THEN d.amount WHEN 'awaits_slot' THEN d.amount END
  FROM (
    SELECT b.ordinal, b.earlier_task_id, b.amount, b.account_balance, b.account_held, b.key_available, b.key_held, CASE
      WHEN b.decision IS NOT NULL THEN b.decision
      WHEN b.ordinal IN (SELECT w.ordinal FROM unnest(booked) w) THEN CASE WHEN b.ordinal = ANY(awaiting) THEN 'awaits_slot' ELSE 'accepted' END
      WHEN b.ordinal IN (SELECT f.ordinal FROM unnest(funded) f) AND b.ordinal NOT IN (SELECT a.ordinal FROM unnest(admitted) a) THEN 'no_slot'
      WHEN NOT b.is_first_twin THEN 'undecided'
      WHEN b.amount > b.account_balance THEN 'insufficient_account'
      WHEN b.amount > b.key_available THEN 'insufficient_key'
      ELSE 'undecided'
    END AS decision
    FROM unnest(bookings) b
  ) d
  ORDER BY d.ordinal;
END $$;
