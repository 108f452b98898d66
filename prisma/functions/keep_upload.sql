-- Records an upload and counts it, or returns the limit that forbids it and writes nothing. The counts of account and key are
-- locked first, always in this order, so that simultaneous uploads cannot exceed them together. `upload` has the columns of
-- `media_objects`, with `life_ms` in place of the times and `sha256` in hexadecimal.
CREATE OR REPLACE FUNCTION keep_upload(upload jsonb, limits bigint[])
RETURNS TABLE (exceeded text, created timestamptz, expires timestamptz) LANGUAGE plpgsql AS $$
DECLARE
  owner_account CONSTANT text := upload ->> 'account_id';
  owner_key CONSTANT text := upload ->> 'key_id';
  new_bytes CONSTANT bigint := (upload ->> 'bytes')::bigint;
  owners CONSTANT text[] := ARRAY['account:' || owner_account, 'key:' || owner_key];
  today CONSTANT date := (now() AT TIME ZONE 'utc')::date;
BEGIN
  INSERT INTO storage_usages (owner, day) SELECT o, today FROM unnest(owners) o ORDER BY o ON CONFLICT DO NOTHING;
  PERFORM 1 FROM storage_usages u WHERE u.owner = ANY(owners) ORDER BY u.owner FOR UPDATE;
  exceeded := exceeded_upload_limit(owner_account, owner_key, new_bytes, limits);
  IF exceeded IS NULL THEN
    UPDATE storage_usages u SET stored_bytes = u.stored_bytes + new_bytes, stored_files = u.stored_files + 1, day = today,
      day_bytes = CASE u.day WHEN today THEN u.day_bytes ELSE 0 END + new_bytes,
      day_files = CASE u.day WHEN today THEN u.day_files ELSE 0 END + 1
    WHERE u.owner = ANY(owners);
    INSERT INTO media_objects AS m
      (id, account_id, key_id, purpose, storage_key, content_type, bytes, sha256, width, height, seconds, pages, expires_at)
    SELECT n.id, n.account_id, n.key_id, n.purpose, n.storage_key, n.content_type, n.bytes, decode(n.sha256, 'hex'), n.width, n.height,
      n.seconds, n.pages, date_trunc('second', now() + make_interval(secs => n.life_ms / 1000))
    FROM jsonb_to_record(upload) AS n (id text, account_id text, key_id text, purpose text, storage_key text, content_type text,
      bytes bigint, sha256 text, width int, height int, seconds float8, pages int, life_ms float8)
    RETURNING m.created_at, m.expires_at INTO created, expires;
  END IF;
  RETURN NEXT;
END $$;
