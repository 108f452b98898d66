-- Records an upload and counts it, or returns the limit that forbids it and writes nothing. The counts of account and key are
-- locked first, always in this order, so that simultaneous uploads cannot exceed them together.
CREATE OR REPLACE FUNCTION record_upload(
  new_id text, owner_account text, owner_key text, new_storage_key text, new_content_type text, new_bytes bigint, new_sha256 bytea,
  new_width int, new_height int, life_ms float8, limits bigint[]
) RETURNS TABLE (exceeded text, created timestamptz, expires timestamptz) LANGUAGE plpgsql AS $$
DECLARE
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
      (id, account_id, key_id, purpose, storage_key, content_type, bytes, sha256, width, height, expires_at)
    VALUES (new_id, owner_account, owner_key, 'upload', new_storage_key, new_content_type, new_bytes, new_sha256, new_width, new_height,
      date_trunc('second', now() + make_interval(secs => life_ms / 1000)))
    RETURNING m.created_at, m.expires_at INTO created, expires;
  END IF;
  RETURN NEXT;
END $$;
