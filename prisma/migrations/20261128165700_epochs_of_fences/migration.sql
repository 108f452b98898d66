-- CreateTable
CREATE TABLE "fence_epochs" (
    "epoch" INTEGER NOT NULL,
    "timeline" INTEGER,
    "cause" TEXT NOT NULL,
    "began_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "known_until" TIMESTAMPTZ(3),

    CONSTRAINT "fence_epochs_pkey" PRIMARY KEY ("epoch")
);

-- Claims one task of a key with a concurrency limit. Where the key has no slot free it returns no row, and the task awaits one in its row:
-- it was enqueued before its key got a lower limit, or a task that had waited for its caller went on. Each command of a function
-- sees what was committed before it began: the count is taken after the key is locked, so two claims never pass on the
-- same count. Locks: task, then key. A parked task waits for its caller and uses no slot.
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
  IF due.status = 'submitted' AND allowed IS NOT NULL AND allowed <= (
    SELECT count(*) FROM tasks t
    WHERE t.key_id = due.key_id AND t.family = due.family AND t.status IN ('pending', 'processing')
      AND t.status NOT IN ('completed', 'failed') AND NOT t.awaits_key_slot AND NOT t.parked
  ) THEN
    UPDATE tasks t SET awaits_key_slot = true, woken_at = now(), next_step_at = t.deadline_at WHERE t.id = wanted_task;
    RETURN;
  END IF;
  RETURN QUERY UPDATE tasks t
    SET fence = next_fence(t.fence), lease_until = now() + make_interval(secs => lease_seconds),
      status = CASE t.status WHEN 'submitted' THEN 'pending' ELSE t.status END,
      started_at = coalesce(t.started_at, now()), awaits_key_slot = false
    WHERE t.id = wanted_task RETURNING t.*;
END $$;

-- The timeline of this server: a number that every promotion of a standby, and every recovery to a point in time, makes larger. Null where the
-- server does not show it, as some managed ones; then an operator raises the fences (`raise_fences`).
CREATE OR REPLACE FUNCTION database_timeline() RETURNS int LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int;
EXCEPTION WHEN others THEN
  RETURN NULL;
END $$;

-- The epoch that fences are given in. A standby that was promoted is in a new one from its first statement on, before anybody has noted it:
-- what the lost primary gave and did not replicate was of another timeline. Each timeline in between counts, because its note may be lost, too.
CREATE OR REPLACE FUNCTION fence_epoch() RETURNS int LANGUAGE plpgsql STABLE AS $$
DECLARE
  latest fence_epochs;
  timeline int := database_timeline();
BEGIN
  SELECT * INTO latest FROM fence_epochs e ORDER BY e.epoch DESC LIMIT 1;
  IF timeline IS NULL OR timeline = latest.timeline THEN RETURN coalesce(latest.epoch, 0); END IF;
  RETURN coalesce(latest.epoch, 0) + greatest(1, timeline - latest.timeline);
END $$;

-- The fence that follows one of a row: the next number, or the first of the database's epoch. An epoch has 100,000 fences of a row, many times
-- what one is claimed; the column has room for 21,474 epochs.
CREATE OR REPLACE FUNCTION next_fence(fence int) RETURNS int LANGUAGE sql STABLE AS $$
  SELECT greatest(fence + 1, least(fence_epoch(), 21474) * 100000)
$$;

-- Begins an epoch, so that no fence is given that a lost database may have given. `by` 0 writes down the one that a promotion has begun by itself;
-- more passes over epochs that the lost database may have begun. No row: the present epoch is written down already.
CREATE OR REPLACE FUNCTION raise_fences(why text, by int) RETURNS SETOF fence_epochs LANGUAGE sql VOLATILE AS $$
  INSERT INTO fence_epochs (epoch, timeline, cause, known_until)
  SELECT fence_epoch() + by, database_timeline(), why, pg_last_xact_replay_timestamp()
  WHERE fence_epoch() + by > (SELECT coalesce(max(e.epoch), -1) FROM fence_epochs e)
  ON CONFLICT DO NOTHING
  RETURNING *
$$;

-- What was claimed until now was of the first epoch, on this timeline.
INSERT INTO fence_epochs (epoch, timeline, cause) VALUES (0, database_timeline(), 'migrated') ON CONFLICT DO NOTHING;
