-- Keeps the free slots of a channel for the tasks whose turn it is, and makes them due. Returns them, to be enqueued. A slot is kept
-- for 20 s, so that slow files do not occupy one for long: whoever does not come until then goes behind the others. Counted under the
-- lock of the channel, as attempts are begun; who holds a task's row is at work on it, so it is passed over. The first thousand in the
-- line of each model are looked at. A channel that rests has none to hand over, and after that no more than its pace. `max_open` null:
-- the channel has no limit, and 50 at a time are let on.
--
-- `answered`, with the fences of their tasks: attempts whose vendor is done, so that their slots are free while results are stored. One
-- whose row is locked is just being ended, which frees its slot too.
CREATE OR REPLACE FUNCTION hand_over_slots(
  wanted_channel text, served_models text[], of_tests boolean, max_open int,
  answered text[] DEFAULT '{}', answered_fences int[] DEFAULT '{}'
) RETURNS TABLE (id text, fence int, family text) LANGUAGE plpgsql AS $$
DECLARE
  free int;
  pace channel_paces;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('channel:' || wanted_channel, 0));
  UPDATE task_attempts a SET answered_fence = f.fence
  FROM (
    SELECT o.id, n.fence FROM unnest(answered, answered_fences) AS n(id, fence) JOIN task_attempts o ON o.id = n.id
    WHERE o.channel_id = wanted_channel AND o.state IN ('starting', 'accepted')
    FOR UPDATE OF o SKIP LOCKED
  ) f
  WHERE a.id = f.id;
  free := coalesce(max_open, 50) - (SELECT count(*) FROM slot_waiters w WHERE w.kept_on = wanted_channel AND w.kept_until > now());
  IF max_open IS NOT NULL THEN
    free := free - (
      SELECT count(*) FROM task_attempts a JOIN tasks t ON t.id = a.task_id
      WHERE a.channel_id = wanted_channel AND a.state IN ('starting', 'accepted') AND NOT t.parked
        AND (a.answered_fence = t.fence) IS NOT TRUE
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
