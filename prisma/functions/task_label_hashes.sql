-- The hashes under which a task with this metadata is listed. The image tool's metadata may be any object: of that, at most 16
-- texts as short as those of other tasks are listed.
CREATE OR REPLACE FUNCTION task_label_hashes(metadata jsonb) RETURNS SETOF bytea LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
select task_label_hash(e.key, e.value #>> '{}') from jsonb_each(metadata) e
where jsonb_typeof(e.value) = 'string' and char_length(e.key) <= 64 and char_length(e.value #>> '{}') <= 512
order by e.key limit 16
$$;
