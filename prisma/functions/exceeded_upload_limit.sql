-- The first limit that one more upload would exceed, for example 'account_stored_bytes'; null: none. Limits come in the order
-- stored bytes, stored files, bytes a day, files a day; first those of the account, then those of the key. Days are UTC.
CREATE OR REPLACE FUNCTION exceeded_upload_limit(owner_account text, owner_key text, new_bytes bigint, limits bigint[])
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
