-- Gives the free slots of a key in a family to the tasks that await one, the oldest first. From then on they wait for the dispatcher like
-- any other, as if they had been submitted a second ago. Returns them, to be enqueued where no start waits before them.
--
-- Slots are counted under the lock of the key, as bookings and claims do, so it may be called as often as one likes. Where no task awaits
-- a slot nothing is locked: a task begins to await one only under that lock, and only while all slots are used or another task awaits one.
-- A task whose row is locked is just being ended, and is passed over. A key that has no limit any more lets 500 tasks go on at a time.
-- Fails where the key's row is held for more than 250 ms; the dispatcher then hands over.
--
-- The order is that of one index alone, so no plan walks all open tasks by their ids; and the ids are an array, of which every plan expects
-- few, where a plan that is made once expects a tenth of all that await a slot.
CREATE OR REPLACE FUNCTION hand_over_key_slots(wanted_key text, wanted_family text) RETURNS TABLE (id text, fence int)
LANGUAGE plpgsql AS $$
DECLARE
  allowed int;
  free int := 500;
BEGIN
  PERFORM 1 FROM tasks t
  WHERE t.key_id = wanted_key AND t.family = wanted_family AND t.status = 'submitted' AND t.awaits_key_slot
  ORDER BY t.created_at, t.id LIMIT 1;
  IF NOT FOUND THEN RETURN; END IF;
  PERFORM set_config('lock_timeout', '250', true);
  SELECT k.max_concurrent INTO allowed FROM api_keys k WHERE k.id = wanted_key FOR UPDATE;
  IF allowed IS NOT NULL THEN free := least(free, allowed - key_slots_used(wanted_key, wanted_family, 'admitted')); END IF;
  IF free <= 0 THEN RETURN; END IF;
  RETURN QUERY
  UPDATE tasks t SET awaits_key_slot = false, woken_at = NULL, next_step_at = now() - interval '1 second'
  WHERE t.id = ANY(ARRAY(
    SELECT w.id FROM tasks w
    WHERE w.key_id = wanted_key AND w.family = wanted_family AND w.status = 'submitted' AND w.awaits_key_slot
    ORDER BY w.created_at, w.id LIMIT free FOR UPDATE SKIP LOCKED
  ))
  RETURNING t.id, t.fence;
END $$;
