-- Stores and counts a file of a task on its way to a vendor, or returns the one that another process has stored for the task meanwhile;
-- no row: the account would have more than `max_bytes`, or the key more than `max_key_bytes`, and nothing was written. The account's count
-- is locked first, so that simultaneous files cannot exceed either together, and the second of two equal ones finds the first. `input` is as
-- `keep_upload` takes it, with `max_key_bytes`. What a key has is summed up by `live_inputs` and not counted: there is nothing to keep right.
-- So that the account's lock is held for some milliseconds at most, a key has no more than 10,000 files. Without `max_key_bytes` it has no limit.
CREATE OR REPLACE FUNCTION keep_task_input(input jsonb, max_bytes bigint) RETURNS SETOF media_objects LANGUAGE plpgsql AS $$
DECLARE
  count_of CONSTANT text := 'inputs:' || (input ->> 'account_id');
  new_bytes CONSTANT bigint := (input ->> 'bytes')::bigint;
  key_bytes CONSTANT bigint := (input ->> 'max_key_bytes')::bigint;
BEGIN
  INSERT INTO storage_usages (owner, day) VALUES (count_of, (now() AT TIME ZONE 'utc')::date) ON CONFLICT DO NOTHING;
  PERFORM 1 FROM storage_usages u WHERE u.owner = count_of FOR UPDATE;
  RETURN QUERY SELECT m.* FROM media_objects m
    WHERE m.task_id = input ->> 'task_id' AND m.purpose = 'input' AND m.sha256 = decode(input ->> 'sha256', 'hex')
      AND m.deleted_at IS NULL AND m.expires_at > now()
    ORDER BY m.id LIMIT 1;
  IF FOUND THEN RETURN; END IF;
  IF key_bytes IS NOT NULL AND (
    SELECT count(*) >= 10000 OR new_bytes + coalesce(sum(l.bytes), 0) > key_bytes FROM (
      SELECT m.bytes FROM media_objects m
      WHERE m.key_id = input ->> 'key_id' AND m.purpose = 'input' AND m.deleted_at IS NULL LIMIT 10000
    ) l
  ) THEN RETURN; END IF;
  UPDATE storage_usages u SET stored_bytes = u.stored_bytes + new_bytes, stored_files = u.stored_files + 1
  WHERE u.owner = count_of AND u.stored_bytes + new_bytes <= max_bytes;
  IF NOT FOUND THEN RETURN; END IF;
  RETURN QUERY INSERT INTO media_objects AS m
    (id, account_id, key_id, task_id, purpose, storage_key, content_type, bytes, sha256, width, height, is_counted, expires_at)
  SELECT n.id, n.account_id, n.key_id, n.task_id, 'input', n.storage_key, n.content_type, n.bytes, decode(n.sha256, 'hex'), n.width, n.height, true,
    date_trunc('second', now() + make_interval(secs => n.life_ms / 1000))
  FROM jsonb_to_record(input) AS n (id text, account_id text, key_id text, task_id text, storage_key text, content_type text, bytes bigint,
    sha256 text, width int, height int, life_ms float8)
  RETURNING m.*;
END $$;
