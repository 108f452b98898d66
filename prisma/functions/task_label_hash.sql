-- What a task's metadata entry is listed under in task_labels: short, and of one length whatever the entry's.
CREATE OR REPLACE FUNCTION task_label_hash(name text, value text) RETURNS bytea LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
select substring(sha256(convert_to(name, 'UTF8') || '\x00'::bytea || convert_to(value, 'UTF8')) for 16)
$$;
