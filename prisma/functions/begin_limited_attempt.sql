-- Writes the intent of an attempt if its channel has a slot free, counted over all processes under a lock of the channel.
-- Returns 'begun', 'at_capacity' (nothing was written) or 'lost': the claim is old, its lease has lapsed or was given back, or the time to
-- begin is over.
-- One whose answer was lost may be begun again under its id: it is, once. Locks: channel, task, its waiter.
--
-- `IS TRUE` and `IS NOT TRUE` keep the look-up on the primary key: no partial index matches it, and the plan is made only once.
CREATE OR REPLACE FUNCTION begin_limited_attempt(
  wanted_task text, held_fence int, new_attempt text, wanted_channel text, wanted_protocol text, max_open int,
  wanted_destination text DEFAULT NULL
) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  attempt_number int;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('channel:' || wanted_channel, 0));
  IF EXISTS (
    SELECT FROM tasks t WHERE t.id = wanted_task AND t.fence = held_fence AND t.attempt_id = new_attempt
      AND t.attempt_state = 'starting'
  ) THEN RETURN 'begun'; END IF;
  IF NOT channel_has_slot(wanted_channel, wanted_task, max_open) THEN RETURN 'at_capacity'; END IF;
  UPDATE tasks t SET attempt_id = new_attempt, attempt_state = 'starting', channel_id = wanted_channel,
    upstream_operation = NULL, attempts_made = t.attempts_made + 1, start_by = NULL,
    deadline_at = deadline_once_begun(t.deadline_at, t.start_by)
    WHERE t.id = wanted_task AND t.fence = held_fence AND (t.status IN ('completed', 'failed')) IS NOT TRUE
      AND (t.lease_until > clock_timestamp()) IS TRUE AND (t.start_by <= now()) IS NOT TRUE
    RETURNING t.attempts_made INTO attempt_number;
  IF NOT FOUND THEN RETURN 'lost'; END IF;
  DELETE FROM slot_waiters w WHERE w.task_id = wanted_task;
  INSERT INTO task_attempts (id, task_id, number, channel_id, protocol, destination, state)
    VALUES (new_attempt, wanted_task, attempt_number, wanted_channel, wanted_protocol, wanted_destination, 'starting');
  RETURN 'begun';
END $$;
