-- Processes of 0.1 call it while a deployment replaces them: `keep_upload` without the columns that came with it. Release 0.2 brings
-- `keep_upload` and still has this one; the release after 0.2 drops it.
CREATE OR REPLACE FUNCTION record_upload(
  new_id text, owner_account text, owner_key text, new_storage_key text, new_content_type text, new_bytes bigint, new_sha256 bytea,
  new_width int, new_height int, life_ms float8, limits bigint[]
) RETURNS TABLE (exceeded text, created timestamptz, expires timestamptz) LANGUAGE sql AS $$
select s.exceeded, s.created, s.expires
from keep_upload(jsonb_build_object('id', new_id, 'account_id', owner_account, 'key_id', owner_key, 'purpose', 'upload',
  'storage_key', new_storage_key, 'content_type', new_content_type, 'bytes', new_bytes, 'sha256', encode(new_sha256, 'hex'),
  'width', new_width, 'height', new_height, 'life_ms', life_ms), limits) s
$$;
