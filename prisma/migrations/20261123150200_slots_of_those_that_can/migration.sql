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

-- Whether a task may begin on a channel: the channel has fewer jobs than it may, counted with the slots that are kept for tasks that
-- have waited. A slot kept for this task is its own; if it came too late for it, one that is kept for a later turn is. A task that has
-- not waited does not go before those that wait and could begin there, as far as the first hundred in the line show.
-- An attempt of a parked task, which waits for its caller, uses no slot.
CREATE OR REPLACE FUNCTION channel_has_slot(wanted_channel text, wanted_task text, max_open int) RETURNS boolean
LANGUAGE plpgsql STABLE AS $$
DECLARE
  own slot_waiters;
  open_jobs int;
BEGIN
  SELECT count(*) INTO open_jobs FROM task_attempts a JOIN tasks t ON t.id = a.task_id
  WHERE a.channel_id = wanted_channel AND a.state IN ('starting', 'accepted') AND NOT t.parked;
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

-- Keeps the free slots of a channel for the tasks whose turn it is, and makes them due. Returns them, to be enqueued. A slot is kept
-- for 20 s, so that slow files do not occupy one for long: whoever does not come until then goes behind the others. Counted under the
-- lock of the channel, as attempts are begun; who holds a task's row is at work on it, so it is passed over. The first thousand in the
-- line of each model are looked at. A channel that rests has none to hand over, and after that no more than its pace. `max_open` null:
-- the channel has no limit, and 50 at a time are let on.
CREATE OR REPLACE FUNCTION hand_over_slots(wanted_channel text, served_models text[], of_tests boolean, max_open int)
RETURNS TABLE (id text, fence int, family text) LANGUAGE plpgsql AS $$
DECLARE
  free int;
  pace channel_paces;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('channel:' || wanted_channel, 0));
  free := coalesce(max_open, 50) - (SELECT count(*) FROM slot_waiters w WHERE w.kept_on = wanted_channel AND w.kept_until > now());
  IF max_open IS NOT NULL THEN
    free := free - (
      SELECT count(*) FROM task_attempts a JOIN tasks t ON t.id = a.task_id
      WHERE a.channel_id = wanted_channel AND a.state IN ('starting', 'accepted') AND NOT t.parked
    );
  END IF;
  SELECT * INTO pace FROM channel_paces p WHERE p.channel_id = wanted_channel AND p.cooling_until > now() - interval '1 minute';
  IF pace.cooling_until > now() THEN RETURN; END IF;
  IF pace.channel_id IS NOT NULL THEN free := least(free, ceil(greatest(coalesce(pace.ceiling, 5), 1))::int); END IF;
  IF free <= 0 THEN RETURN; END IF;
  RETURN QUERY
  WITH first AS MATERIALIZED (
    SELECT f.task_id FROM unnest(served_models) AS m(model) CROSS JOIN LATERAL (
      SELECT w.task_id, w.turn_at FROM (
        SELECT e.task_id, e.turn_at FROM slot_waiters e
        WHERE e.model = m.model AND e.is_test = of_tests AND (e.kept_until > now()) IS NOT TRUE
        ORDER BY e.turn_at, e.task_id LIMIT 1000
      ) w
      JOIN tasks t ON t.id = w.task_id
      WHERE (t.status IN ('completed', 'failed')) IS NOT TRUE AND t.attempt_state IS NULL AND t.deadline_at > now()
        AND (t.lease_until IS NULL OR t.lease_until < now()) AND NOT wanted_channel = ANY(t.barred_channels)
      ORDER BY w.turn_at, w.task_id LIMIT free
    ) f
    ORDER BY f.turn_at, f.task_id LIMIT free
  ),
  next AS MATERIALIZED (
    -- Locked as they are by now: who ended meanwhile must not be changed.
    SELECT t.id AS task_id FROM first f JOIN tasks t ON t.id = f.task_id JOIN slot_waiters w ON w.task_id = f.task_id
    WHERE (w.kept_until > now()) IS NOT TRUE AND (t.status IN ('completed', 'failed')) IS NOT TRUE AND t.attempt_state IS NULL
      AND t.deadline_at > now() AND (t.lease_until IS NULL OR t.lease_until < now()) AND NOT wanted_channel = ANY(t.barred_channels)
    FOR UPDATE OF t, w SKIP LOCKED
  ),
  kept AS (
    UPDATE slot_waiters w SET kept_on = wanted_channel, kept_until = now() + interval '20 seconds'
    FROM next WHERE w.task_id = next.task_id
  )
  UPDATE tasks t SET next_step_at = date_trunc('milliseconds', now()) FROM next WHERE t.id = next.task_id
  RETURNING t.id, t.fence, t.family;
END $$;
