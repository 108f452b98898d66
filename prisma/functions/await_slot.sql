-- Puts a task among those that wait for a slot of a channel of their model, and ends the attempt that it had there, which reached no
-- vendor. Returns false where the claim is old. A task that waited keeps its turn, unless it came too late for a slot that was kept.
--
-- Turns: as if no account came with more than one task of a model in a while, shorter for a higher class. So of an account with ten
-- thousand tasks one goes before another account's first, and the others after it. The account is locked, so that tasks that begin to
-- wait at once get turns of their own. Locks: account's waiters, task, its waiter.
CREATE OR REPLACE FUNCTION await_slot(
  wanted_task text, held_fence int, given_up text, barred text[], wait_seconds float8
) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
  held tasks;
  apart interval;
  fresh_turn timestamptz;
BEGIN
  SELECT * INTO held FROM tasks t WHERE t.id = wanted_task;
  PERFORM pg_advisory_xact_lock(hashtextextended('slots:' || held.account_id || ':' || held.family, 0));
  UPDATE tasks t SET attempt_state = NULL, upstream_operation = NULL, lease_until = NULL, tried_channels = '{}',
    barred_channels = barred, next_step_at = now() + make_interval(secs => wait_seconds)
  WHERE t.id = wanted_task AND t.fence = held_fence AND (t.status IN ('completed', 'failed')) IS NOT TRUE;
  IF NOT FOUND THEN RETURN false; END IF;
  UPDATE task_attempts a SET state = 'refused', fault = 'not_accepted', detail = 'at_capacity', cost_nano = 0, ended_at = now()
  WHERE a.id = given_up AND a.task_id = wanted_task;
  SELECT CASE a.priority_class WHEN 'high' THEN interval '10 s' WHEN 'low' THEN interval '90 s' ELSE interval '30 s' END
    INTO apart FROM accounts a WHERE a.id = held.account_id;
  SELECT greatest(clock_timestamp(), max(e.turn_at) + apart) INTO fresh_turn FROM slot_waiters e
  WHERE e.account_id = held.account_id AND e.family = held.family AND e.is_test = held.is_test AND e.model = held.model
    AND e.task_id <> held.id;
  INSERT INTO slot_waiters AS w (task_id, account_id, family, model, is_test, turn_at)
    VALUES (held.id, held.account_id, held.family, held.model, held.is_test, fresh_turn)
  ON CONFLICT (task_id) DO UPDATE SET kept_on = NULL, kept_until = NULL,
    turn_at = CASE WHEN w.kept_until <= now() THEN fresh_turn ELSE w.turn_at END;
  RETURN true;
END $$;
