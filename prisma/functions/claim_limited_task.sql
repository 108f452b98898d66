-- Claims one task of a key with a concurrency limit. Where the key has no slot free it returns no row, and the task awaits one in its row:
-- it was enqueued before its key got a lower limit, or a task that had waited for its caller went on. Each command of a function
-- sees what was committed before it began: the count is taken after the key is locked, so two claims never pass on the
-- same count. Locks: task, then key.
--
-- `IS NOT TRUE` keeps the look-up on the primary key: no partial index matches it, and the plan is made only once.
CREATE OR REPLACE FUNCTION claim_limited_task(wanted_task text, lease_seconds float8) RETURNS SETOF tasks LANGUAGE plpgsql AS $$
DECLARE
  due tasks;
  allowed int;
BEGIN
  SELECT * INTO due FROM tasks t
  WHERE t.id = wanted_task AND (t.status IN ('completed', 'failed')) IS NOT TRUE
    AND (t.lease_until IS NULL OR t.lease_until < now())
  FOR UPDATE;
  IF NOT FOUND THEN RETURN; END IF;
  SELECT k.max_concurrent INTO allowed FROM api_keys k WHERE k.id = due.key_id FOR UPDATE;
  IF due.status = 'submitted' AND allowed IS NOT NULL AND allowed <= key_slots_used(due.key_id, due.family, 'begun') THEN
    UPDATE tasks t SET awaits_key_slot = true, woken_at = now(), next_step_at = t.deadline_at WHERE t.id = wanted_task;
    RETURN;
  END IF;
  RETURN QUERY UPDATE tasks t
    SET fence = next_fence(t.fence), lease_until = now() + make_interval(secs => lease_seconds),
      status = CASE t.status WHEN 'submitted' THEN 'pending' ELSE t.status END,
      started_at = coalesce(t.started_at, now()), awaits_key_slot = false
    WHERE t.id = wanted_task RETURNING t.*;
END $$;
