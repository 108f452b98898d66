-- Of tasks that the dispatcher is about to enqueue, returns those beyond the limits of their keys: from then on they await a slot in their
-- rows. There are such tasks where a key got a limit, or a lower one, while they waited. A key whose row somebody holds is passed over:
-- claims keep to its limit all the same.
CREATE OR REPLACE FUNCTION await_key_slots(wanted text[]) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
  line record;
  allowed int;
  free bigint;
BEGIN
  FOR line IN
    SELECT DISTINCT t.key_id, t.family FROM tasks t JOIN api_keys k ON k.id = t.key_id
    WHERE t.id = ANY(wanted) AND k.max_concurrent IS NOT NULL ORDER BY t.key_id, t.family
  LOOP
    SELECT k.max_concurrent INTO allowed FROM api_keys k WHERE k.id = line.key_id FOR UPDATE SKIP LOCKED;
    CONTINUE WHEN allowed IS NULL;
    SELECT allowed - count(*) INTO free FROM tasks t
    WHERE t.key_id = line.key_id AND t.family = line.family AND t.status NOT IN ('completed', 'failed')
      AND NOT t.awaits_key_slot AND NOT t.parked AND (t.status <> 'submitted' OR t.woken_at IS NOT NULL);
    RETURN QUERY
    UPDATE tasks t SET awaits_key_slot = true, woken_at = now(), next_step_at = t.deadline_at
    WHERE t.id = ANY(ARRAY(
      SELECT s.id FROM tasks s
      WHERE s.id = ANY(wanted) AND s.key_id = line.key_id AND s.family = line.family
        AND (s.status <> 'submitted' OR s.woken_at IS NOT NULL OR s.awaits_key_slot) IS NOT TRUE
      ORDER BY s.created_at, s.id OFFSET greatest(free, 0) FOR UPDATE SKIP LOCKED
    ))
    RETURNING t.id;
  END LOOP;
END $$;
