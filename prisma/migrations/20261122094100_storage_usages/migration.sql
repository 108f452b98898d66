-- CreateTable
CREATE TABLE "storage_usages" (
    "owner" TEXT NOT NULL,
    "stored_bytes" BIGINT NOT NULL DEFAULT 0,
    "stored_files" INTEGER NOT NULL DEFAULT 0,
    "day" DATE NOT NULL,
    "day_bytes" BIGINT NOT NULL DEFAULT 0,
    "day_files" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "storage_usages_pkey" PRIMARY KEY ("owner")
);

ALTER TABLE "storage_usages"
  ADD CONSTRAINT "storage_usages_not_negative" CHECK (stored_bytes >= 0 AND stored_files >= 0 AND day_bytes >= 0 AND day_files >= 0);

-- Uploads that there are count from now on; whose key brought them was not written down.
INSERT INTO storage_usages (owner, stored_bytes, stored_files, day)
SELECT 'account:' || account_id, sum(bytes), count(*), (now() AT TIME ZONE 'utc')::date
FROM media_objects WHERE purpose = 'upload' AND deleted_at IS NULL GROUP BY account_id;

-- The first limit that one more upload would exceed, as 'account_stored_bytes'; null: none. Limits come in the order stored bytes,
-- stored files, bytes a day, files a day; first those of the account, then those of the key. A day is one of UTC.
CREATE FUNCTION exceeded_upload_limit(owner_account text, owner_key text, new_bytes bigint, limits bigint[])
RETURNS text LANGUAGE sql STABLE AS $$
  with usage as (
    select o.scope, o.first, coalesce(u.stored_bytes, 0) + new_bytes as stored_bytes, coalesce(u.stored_files, 0) + 1 as stored_files,
      case when u.day = (now() at time zone 'utc')::date then u.day_bytes else 0 end + new_bytes as day_bytes,
      case when u.day = (now() at time zone 'utc')::date then u.day_files else 0 end + 1 as day_files
    from (values ('account', 1, 'account:' || owner_account), ('key', 5, 'key:' || owner_key)) as o(scope, first, owner)
    left join storage_usages u on u.owner = o.owner
  )
  select u.scope || '_' || w.what
  from usage u, lateral (values (0, 'stored_bytes', u.stored_bytes), (1, 'stored_files', u.stored_files),
    (2, 'day_bytes', u.day_bytes), (3, 'day_files', u.day_files)) as w(place, what, wanted)
  where w.wanted > limits[u.first + w.place]
  order by u.first, w.place limit 1
$$;

-- Writes an upload down and counts it, or says which limit forbids it and writes nothing. The counts of account and key are locked
-- first, always in this order, so that uploads that come together cannot exceed them together.
CREATE FUNCTION record_upload(
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
