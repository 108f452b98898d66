-- CreateTable
CREATE TABLE "slot_waiters" (
    "task_id" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "family" TEXT NOT NULL,
    "model" TEXT NOT NULL,
    "is_test" BOOLEAN NOT NULL,
    "turn_at" TIMESTAMPTZ(3) NOT NULL,
    "kept_on" TEXT,
    "kept_until" TIMESTAMPTZ(3),

    CONSTRAINT "slot_waiters_pkey" PRIMARY KEY ("task_id")
);

-- CreateIndex
CREATE INDEX "slot_waiters_model_is_test_turn_at_task_id_idx" ON "slot_waiters"("model", "is_test", "turn_at", "task_id");

-- CreateIndex
CREATE INDEX "slot_waiters_account_id_family_is_test_turn_at_idx" ON "slot_waiters"("account_id", "family", "is_test", "turn_at");

CREATE INDEX "slot_waiters_kept_on" ON "slot_waiters" ("kept_on", "kept_until") WHERE kept_on IS NOT NULL;

-- Puts a task among those that wait for a slot of a channel of their model, and ends the attempt that it had there, which reached no
-- vendor. Returns false where the claim is old. A task that waited keeps its turn.
--
-- Turns: as if no account came with more than one task in a while, shorter for a higher class. So an account with ten thousand tasks
-- goes before others with one of them, and nobody waits for ever. The account is locked, so that tasks that begin to wait at once get
-- turns of their own. Locks: account's waiters, task, its waiter.
CREATE OR REPLACE FUNCTION await_slot(
  wanted_task text, held_fence int, given_up text, barred text[], wait_seconds float8
) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
  held tasks;
  apart interval;
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
  INSERT INTO slot_waiters AS w (task_id, account_id, family, model, is_test, turn_at)
  SELECT held.id, held.account_id, held.family, held.model, held.is_test, greatest(clock_timestamp(), (
    SELECT max(e.turn_at) + apart FROM slot_waiters e
    WHERE e.account_id = held.account_id AND e.family = held.family AND e.is_test = held.is_test AND e.task_id <> held.id
  ))
  ON CONFLICT (task_id) DO UPDATE SET kept_on = NULL, kept_until = NULL;
  RETURN true;
END $$;

-- Writes the intent of an attempt if its channel has a slot free, counted over all processes under a lock of the channel.
-- Returns 'begun', 'at_capacity' (nothing was written) or 'lost' (the claim is old, or the time to begin is over). One whose answer
-- was lost may be begun again under its id: it is, once. Locks: channel, task, its waiter.
--
-- `IS NOT TRUE` keeps the look-up on the primary key: no partial index matches it, and the plan is made only once.
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
    upstream_operation = NULL, attempts_made = t.attempts_made + 1, start_by = NULL
    WHERE t.id = wanted_task AND t.fence = held_fence AND (t.status IN ('completed', 'failed')) IS NOT TRUE
      AND (t.start_by <= now()) IS NOT TRUE
    RETURNING t.attempts_made INTO attempt_number;
  IF NOT FOUND THEN RETURN 'lost'; END IF;
  DELETE FROM slot_waiters w WHERE w.task_id = wanted_task;
  INSERT INTO task_attempts (id, task_id, number, channel_id, protocol, destination, state)
    VALUES (new_attempt, wanted_task, attempt_number, wanted_channel, wanted_protocol, wanted_destination, 'starting');
  RETURN 'begun';
END $$;

-- Whether a task may begin on a channel: the channel has fewer jobs than it may, counted with the slots that are kept for tasks that
-- have waited. A slot kept for this task is its own. A task that has not waited does not go before those that wait.
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
  IF open_jobs + (SELECT count(*) FROM slot_waiters w WHERE w.kept_on = wanted_channel AND w.kept_until > now()) >= max_open THEN
    RETURN false;
  END IF;
  RETURN own.task_id IS NOT NULL OR NOT EXISTS (
    SELECT FROM tasks t JOIN slot_waiters w ON w.model = t.model AND w.is_test = t.is_test
    WHERE t.id = wanted_task AND (w.kept_until > now()) IS NOT TRUE
  );
END $$;

-- Keeps the free slots of a channel for the tasks whose turn it is, and makes them due. Returns them, to be enqueued. A slot is kept
-- for a minute: whoever does not come until then gets another turn. Counted under the lock of the channel, as attempts are begun; who
-- holds a task's row is at work on it, so it is passed over. `max_open` null: the channel has no limit, and 50 at a time are let on.
CREATE OR REPLACE FUNCTION hand_over_slots(wanted_channel text, served_models text[], of_tests boolean, max_open int)
RETURNS TABLE (id text, fence int, family text) LANGUAGE plpgsql AS $$
DECLARE
  free int;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('channel:' || wanted_channel, 0));
  free := coalesce(max_open, 50) - (SELECT count(*) FROM slot_waiters w WHERE w.kept_on = wanted_channel AND w.kept_until > now());
  IF max_open IS NOT NULL THEN
    free := free - (
      SELECT count(*) FROM task_attempts a JOIN tasks t ON t.id = a.task_id
      WHERE a.channel_id = wanted_channel AND a.state IN ('starting', 'accepted') AND NOT t.parked
    );
  END IF;
  IF free <= 0 THEN RETURN; END IF;
  RETURN QUERY
  WITH first AS MATERIALIZED (
    SELECT f.task_id FROM unnest(served_models) AS m(model) CROSS JOIN LATERAL (
      SELECT w.task_id, w.turn_at FROM slot_waiters w JOIN tasks t ON t.id = w.task_id
      WHERE w.model = m.model AND w.is_test = of_tests AND (w.kept_until > now()) IS NOT TRUE
        AND (t.status IN ('completed', 'failed')) IS NOT TRUE AND t.attempt_state IS NULL AND t.deadline_at > now()
        AND (t.lease_until IS NULL OR t.lease_until < now()) AND NOT wanted_channel = ANY(t.barred_channels)
      ORDER BY w.turn_at, w.task_id LIMIT free
    ) f
    ORDER BY f.turn_at, f.task_id LIMIT free
  ),
  next AS MATERIALIZED (
    SELECT t.id AS task_id FROM first f JOIN tasks t ON t.id = f.task_id JOIN slot_waiters w ON w.task_id = f.task_id
    WHERE (w.kept_until > now()) IS NOT TRUE AND t.attempt_state IS NULL AND (t.lease_until IS NULL OR t.lease_until < now())
    FOR UPDATE OF t, w SKIP LOCKED
  ),
  kept AS (
    UPDATE slot_waiters w SET kept_on = wanted_channel, kept_until = now() + interval '1 minute'
    FROM next WHERE w.task_id = next.task_id
  )
  UPDATE tasks t SET next_step_at = date_trunc('milliseconds', now()) FROM next WHERE t.id = next.task_id
  RETURNING t.id, t.fence, t.family;
END $$;
