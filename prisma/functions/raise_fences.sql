-- Begins an epoch, so that no fence is given that a lost database may have given. `by` 0 writes down the one that a promotion has begun by itself;
-- more passes over epochs that the lost database may have begun. No row: the present epoch is written down already.
CREATE OR REPLACE FUNCTION raise_fences(why text, by int) RETURNS SETOF fence_epochs LANGUAGE sql VOLATILE AS $$
  INSERT INTO fence_epochs (epoch, timeline, cause, known_until)
  SELECT fence_epoch() + by, database_timeline(), why, pg_last_xact_replay_timestamp()
  WHERE fence_epoch() + by > (SELECT coalesce(max(e.epoch), -1) FROM fence_epochs e)
  ON CONFLICT DO NOTHING
  RETURNING *
$$;
