-- A key's own row for the audit log, without its secret and what it has spent; not what its maker's limits make of it. The quota stands
-- in nano-units, as decimal text, because JSON numbers are floats.
CREATE OR REPLACE FUNCTION key_snapshot(k api_keys) RETURNS jsonb LANGUAGE sql STABLE AS $$
select jsonb_build_object('id', k.id, 'accountId', k.account_id, 'name', k.name, 'lastFour', k.last_four, 'quota', k.quota_nano::text,
  'families', k.families, 'models', k.models, 'submitPerMinute', k.submit_per_minute, 'queryPerMinute', k.query_per_minute,
  'maxConcurrent', k.max_concurrent, 'manage', k.can_manage, 'scope', k.scope, 'isTest', k.is_test, 'makerId', k.maker_id, 'madeBy', k.made_by, 'createdAt', k.created_at,
  'expiresAt', k.expires_at, 'revokedAt', k.revoked_at,
  'lastUsedAt', (select u.last_used_at from api_key_uses u where u.key_id = k.id))
$$;
