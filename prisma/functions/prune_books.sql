-- Removes the next reservations and entries of tasks that ended in a closed month, of the oldest one that ended `retention_months` ago and has
-- any left: those whose end is among the next `max_entries`. Answers the month, and how many rows of the ledger it removed, or the obstacle and
-- a task that is one: `tasks_kept`, the record of one of its tasks is there; `not_summed`, one of its reservations is in no sum of a day. No
-- row: there is no such month. A later month never goes before an older one.
--
-- Both obstacles are looked for up to two hours after the month's end: bookings of just after it may be its own, and the id of a task is within
-- an hour of its booking. Payments, corrections, and all entries of a task that was refunded by hand stay. The row of `usage_progress` is
-- locked first: who refunds a task by hand has it, too.
CREATE OR REPLACE FUNCTION prune_books(retention_months int, max_entries bigint)
RETURNS TABLE (month text, removed bigint, obstacle text, task_id text) LANGUAGE plpgsql AS $$
DECLARE
  last_summed text;
  piece closed_months;
  later_id text;
  upper_id bigint;
  ended text[];
BEGIN
SELECT p.summed_to INTO STRICT last_summed FROM usage_progress p FOR UPDATE;
SELECT c.* INTO piece FROM closed_months c
  WHERE c.digest IS NOT NULL AND c.pruned_to < c.up_to_entry_id
    AND (c.month + interval '1 month') AT TIME ZONE 'UTC' <= now() - make_interval(months => retention_months)
  ORDER BY c.month LIMIT 1 FOR UPDATE;
IF NOT FOUND THEN
  RETURN;
END IF;
month := to_char(piece.month, 'YYYY-MM');
later_id := 'task_' || first_id_at((piece.month + interval '1 month') AT TIME ZONE 'UTC' + interval '2 hours');
SELECT t.id INTO task_id FROM tasks t WHERE t.id < later_id ORDER BY t.id LIMIT 1;
obstacle := CASE WHEN FOUND THEN 'tasks_kept' END;
IF obstacle IS NULL THEN
  SELECT r.task_id INTO task_id FROM reservations r WHERE r.task_id > last_summed AND r.task_id < later_id ORDER BY r.task_id LIMIT 1;
  obstacle := CASE WHEN FOUND THEN 'not_summed' END;
END IF;
IF obstacle IS NULL THEN
  upper_id := least(piece.pruned_to + max_entries, piece.up_to_entry_id);
  ended := ARRAY(
    SELECT e.task_id FROM ledger_entries e WHERE e.id > piece.pruned_to AND e.id <= upper_id AND e.kind IN ('settle', 'refund')
      AND NOT EXISTS (SELECT FROM ledger_entries a WHERE a.task_id = e.task_id AND a.kind = 'adjust')
  );
  DELETE FROM reservations r WHERE r.task_id = ANY(ended);
  DELETE FROM ledger_entries l WHERE l.task_id = ANY(ended) AND l.kind IN ('hold', 'settle', 'refund');
  GET DIAGNOSTICS removed = ROW_COUNT;
  UPDATE closed_months c SET pruned_to = upper_id WHERE c.month = piece.month;
END IF;
RETURN NEXT;
END $$;
