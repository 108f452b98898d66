-- Makes tasks that the dispatcher is about to enqueue await a slot in their rows where they are beyond the limit of their key, and
-- returns them. There are such tasks where a key got a limit, or a lower one, while they waited.
--
-- Counts without a lock first: where all of a key fit, as they nearly always do, nothing is locked and no booking waits. Where some are
-- beyond the limit the key is locked and they are counted again. A key whose row somebody holds is passed over: claims keep to
-- its limit all the same.
CREATE OR REPLACE FUNCTION await_key_slots(wanted text[]) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
  line record;
  allowed int;
  used bigint;
BEGIN
  FOR line IN
    SELECT t.key_id, t.family, k.max_concurrent, array_agg(t.id) AS ids
    FROM tasks t JOIN api_keys k ON k.id = t.key_id
    WHERE t.id = ANY(wanted) AND k.max_concurrent IS NOT NULL
    GROUP BY t.key_id, t.family, k.max_concurrent ORDER BY t.key_id, t.family
  LOOP
    allowed := line.max_concurrent;
    FOR pass IN 1..2 LOOP
      used := key_slots_used(line.key_id, line.family, 'enqueued');
      EXIT WHEN pass = 2 OR used + cardinality(line.ids) <= allowed;
      SELECT k.max_concurrent INTO allowed FROM api_keys k WHERE k.id = line.key_id FOR UPDATE SKIP LOCKED;
      EXIT WHEN allowed IS NULL;
    END LOOP;
    CONTINUE WHEN allowed IS NULL OR used + cardinality(line.ids) <= allowed;
    RETURN QUERY
    UPDATE tasks t SET awaits_key_slot = true, woken_at = now(), next_step_at = t.deadline_at
    WHERE t.id = ANY(ARRAY(
      SELECT s.id FROM tasks s
      WHERE s.id = ANY(line.ids) AND (s.status <> 'submitted' OR s.woken_at IS NOT NULL OR s.awaits_key_slot) IS NOT TRUE
      ORDER BY s.created_at, s.id OFFSET greatest(allowed - used, 0) FOR UPDATE SKIP LOCKED
    ))
    RETURNING t.id;
  END LOOP;
END $$;
