-- Counts the slots of a key in a family that its open tasks use, no more than the key has: nobody asks how many more there are where a key
-- got its limit while they were open. A task that waits for its caller uses none. `since` names the moment from which a task counts: whoever
-- chooses among tasks must not count those that it chooses among.
--
-- - admitted: let out of its row. Bookings and hand-overs count so: they let tasks out.
-- - enqueued: handed to the queue, or begun. The dispatcher counts so: it chooses among admitted tasks.
-- - begun: claimed. Claims count so: they choose among enqueued tasks.
--
-- It sees what its caller's command sees, so whoever decides by it locks the key in a command before.
CREATE OR REPLACE FUNCTION key_slots_used(wanted_key text, wanted_family text, since text)
RETURNS bigint LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (
    SELECT count(*) FROM (
      SELECT FROM tasks t
      WHERE t.key_id = wanted_key AND t.family = wanted_family AND t.status NOT IN ('completed', 'failed')
        AND NOT t.awaits_key_slot AND NOT t.parked
        AND (since = 'admitted' OR t.status <> 'submitted' OR (since = 'enqueued' AND t.woken_at IS NOT NULL))
      LIMIT (SELECT k.max_concurrent FROM api_keys k WHERE k.id = wanted_key)
    ) used
  );
END $$;
