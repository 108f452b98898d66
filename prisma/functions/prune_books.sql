-- Removes the next reservations and entries of tasks that ended in a closed month, of the oldest one that ended `retention_months` ago: those
-- whose end is among the next `max_entries`. Answers how many rows of the ledger it removed; null: there is no such month.
--
-- No month is touched while the record of one of its tasks is there, or one of its reservations is in no sum of a day. Both are looked for up
-- to two hours after its end: bookings of just after it may be its own, and the id of a task is within an hour of its booking. Payments,
-- corrections, and all entries of a task that was refunded by hand stay. The row of `usage_progress` is locked first: who refunds a task by
-- hand has it, too.
CREATE OR REPLACE FUNCTION prune_books(retention_months int, max_entries bigint) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  last_summed text;
  piece closed_months;
  upper_id bigint;
  ended text[];
  removed bigint;
BEGIN
SELECT p.summed_to INTO STRICT last_summed FROM usage_progress p FOR UPDATE;
SELECT c.* INTO piece FROM closed_months c
  CROSS JOIN LATERAL (SELECT (c.month + interval '1 month') AT TIME ZONE 'UTC' AS at) months_end
  CROSS JOIN LATERAL (SELECT 'task_' || first_id_at(months_end.at + interval '2 hours') AS first_id) later
  WHERE c.digest IS NOT NULL AND c.pruned_to < c.up_to_entry_id AND months_end.at <= now() - make_interval(months => retention_months)
    AND NOT EXISTS (SELECT FROM tasks t WHERE t.id < later.first_id)
    AND NOT EXISTS (SELECT FROM reservations r WHERE r.task_id > last_summed AND r.task_id < later.first_id)
  ORDER BY c.month LIMIT 1 FOR UPDATE OF c;
IF NOT FOUND THEN
  RETURN NULL;
END IF;
upper_id := least(piece.pruned_to + max_entries, piece.up_to_entry_id);
ended := ARRAY(
  SELECT e.task_id FROM ledger_entries e WHERE e.id > piece.pruned_to AND e.id <= upper_id AND e.kind IN ('settle', 'refund')
    AND NOT EXISTS (SELECT FROM ledger_entries a WHERE a.task_id = e.task_id AND a.kind = 'adjust')
);
DELETE FROM reservations r WHERE r.task_id = ANY(ended);
DELETE FROM ledger_entries l WHERE l.task_id = ANY(ended) AND l.kind IN ('hold', 'settle', 'refund');
GET DIAGNOSTICS removed = ROW_COUNT;
UPDATE closed_months c SET pruned_to = upper_id WHERE c.month = piece.month;
RETURN removed;
END $$;
