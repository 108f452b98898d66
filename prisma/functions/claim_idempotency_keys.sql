-- Chooses the admitted submissions that win the row of their idempotency key, or have none.
CREATE OR REPLACE FUNCTION claim_idempotency_keys(admitted booking[], idempotency_seconds int) RETURNS booking[] LANGUAGE plpgsql AS $$
DECLARE
  winners text[];
BEGIN
IF NOT EXISTS (SELECT FROM unnest(admitted) a WHERE a.idempotency_key IS NOT NULL) THEN RETURN admitted; END IF;
with claimed as (
  insert into idempotency_keys as x (key_id, idempotency_key, request_hash, task_id, expires_at)
  select a.key_id, a.idempotency_key, a.request_hash, a.task_id, now() + make_interval(secs => idempotency_seconds)
  from unnest(admitted) a where a.idempotency_key is not null
  order by a.key_id, a.idempotency_key
  on conflict (key_id, idempotency_key) do update
    set request_hash = excluded.request_hash, task_id = excluded.task_id, expires_at = excluded.expires_at
    where x.expires_at <= now()
  returning x.task_id
)
select array_agg(c.task_id) into winners from claimed c;
RETURN ARRAY(
  select a from unnest(admitted) a where a.idempotency_key is null or a.task_id = any(winners) order by a.ordinal
);
END $$;
