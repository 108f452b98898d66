-- Whether a task may begin on a channel: the channel has fewer jobs than it may, counted with the slots that are kept for tasks that
-- have waited. A slot kept for this task is its own; if it came too late for it, one that is kept for a later turn is. A task that has
-- not waited does not go before those that wait and could begin there, as far as the first hundred in the line show.
-- An attempt uses no slot while its task is parked, which waits for its caller, nor once its vendor is done with it, as long as the
-- task's holder then has it: whoever takes the task over may call the vendor again.
CREATE OR REPLACE FUNCTION channel_has_slot(wanted_channel text, wanted_task text, max_open int) RETURNS boolean
LANGUAGE plpgsql STABLE AS $$
DECLARE
  own slot_waiters;
  open_jobs int;
BEGIN
  SELECT count(*) INTO open_jobs FROM task_attempts a JOIN tasks t ON t.id = a.task_id
  WHERE a.channel_id = wanted_channel AND a.state IN ('starting', 'accepted') AND NOT t.parked
    AND (a.answered_fence = t.fence) IS NOT TRUE;
  IF open_jobs >= max_open THEN RETURN false; END IF;
  SELECT * INTO own FROM slot_waiters w WHERE w.task_id = wanted_task;
  IF own.kept_on = wanted_channel AND own.kept_until > now() THEN RETURN true; END IF;
  IF open_jobs + (
    SELECT count(*) FROM slot_waiters w WHERE w.kept_on = wanted_channel AND w.kept_until > now()
      AND (own.kept_on IS NULL OR w.turn_at < own.turn_at)
  ) >= max_open THEN
    RETURN false;
  END IF;
  RETURN own.task_id IS NOT NULL OR NOT EXISTS (
    SELECT FROM (
      SELECT w.task_id FROM tasks n JOIN slot_waiters w ON w.model = n.model AND w.is_test = n.is_test
      WHERE n.id = wanted_task AND (w.kept_until > now()) IS NOT TRUE
      ORDER BY w.turn_at, w.task_id LIMIT 100
    ) w
    JOIN tasks t ON t.id = w.task_id
    WHERE (t.status IN ('completed', 'failed')) IS NOT TRUE AND t.attempt_state IS NULL AND t.deadline_at > now()
      AND NOT wanted_channel = ANY(t.barred_channels)
  );
END $$;
