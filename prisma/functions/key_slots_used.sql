-- Counts the slots of a key in a family that are in use: by all its open tasks but those that await a slot in their rows, and those
-- that wait for their caller. It sees what its caller's command sees, so whoever decides by it locks the key in a command before.
CREATE OR REPLACE FUNCTION key_slots_used(wanted_key text, wanted_family text) RETURNS bigint LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (
    SELECT count(*) FROM tasks t
    WHERE t.key_id = wanted_key AND t.family = wanted_family AND t.status NOT IN ('completed', 'failed')
      AND NOT t.awaits_key_slot AND NOT t.parked
  );
END $$;
