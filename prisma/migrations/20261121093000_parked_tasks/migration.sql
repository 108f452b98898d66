-- AlterTable
ALTER TABLE "tasks" ADD COLUMN     "barred_channels" TEXT[] DEFAULT ARRAY[]::TEXT[],
ADD COLUMN     "parked" BOOLEAN NOT NULL DEFAULT false;

-- A task that waits for its caller takes no place of its key or channel, or whoever is to end its waiting could not begin.
-- Both functions stand in the first migration, with their reasoning; `parked` is what is new.
CREATE OR REPLACE FUNCTION claim_limited_task(wanted_task text, lease_seconds float8) RETURNS SETOF tasks LANGUAGE plpgsql AS $$
DECLARE
  due tasks;
  allowed int;
BEGIN
  SELECT * INTO due FROM tasks t
  WHERE t.id = wanted_task AND t.status NOT IN ('completed', 'failed')
    AND (t.lease_until IS NULL OR t.lease_until < now())
  FOR UPDATE;
  IF NOT FOUND THEN RETURN; END IF;
  SELECT k.max_concurrent INTO allowed FROM api_keys k WHERE k.id = due.key_id FOR UPDATE;
  IF due.status = 'submitted' AND allowed IS NOT NULL AND allowed <= (
    SELECT count(*) FROM tasks t
    WHERE t.key_id = due.key_id AND t.family = due.family AND t.status IN ('pending', 'processing')
      AND t.status NOT IN ('completed', 'failed') AND NOT t.parked
  ) THEN RETURN; END IF;
  RETURN QUERY UPDATE tasks t
    SET fence = t.fence + 1, lease_until = now() + make_interval(secs => lease_seconds),
      status = CASE t.status WHEN 'submitted' THEN 'pending' ELSE t.status END,
      started_at = coalesce(t.started_at, now())
    WHERE t.id = wanted_task RETURNING t.*;
END $$;

CREATE OR REPLACE FUNCTION begin_limited_attempt(
  wanted_task text, held_fence int, new_attempt text, wanted_channel text, wanted_protocol text, max_open int
) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  attempt_number int;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('channel:' || wanted_channel, 0));
  IF max_open <= (
    SELECT count(*) FROM task_attempts a JOIN tasks t ON t.id = a.task_id
    WHERE a.channel_id = wanted_channel AND a.state IN ('starting', 'accepted') AND NOT t.parked
  ) THEN RETURN 'at_capacity'; END IF;
  UPDATE tasks t SET attempt_id = new_attempt, attempt_state = 'starting', channel_id = wanted_channel,
    upstream_operation = NULL, attempts_made = t.attempts_made + 1
    WHERE t.id = wanted_task AND t.fence = held_fence AND t.status NOT IN ('completed', 'failed')
    RETURNING t.attempts_made INTO attempt_number;
  IF NOT FOUND THEN RETURN 'lost'; END IF;
  INSERT INTO task_attempts (id, task_id, number, channel_id, protocol, state)
    VALUES (new_attempt, wanted_task, attempt_number, wanted_channel, wanted_protocol, 'starting');
  RETURN 'begun';
END $$;
