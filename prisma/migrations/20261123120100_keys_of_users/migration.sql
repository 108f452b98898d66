-- AlterTable
ALTER TABLE "api_keys" ADD COLUMN     "made_by" TEXT;

-- A key's own row for the audit log, without its secret and what it has spent; not what its maker's limits make of it. The quota stands
-- in nano-units, as decimal text, because JSON numbers are floats.
CREATE OR REPLACE FUNCTION key_snapshot(k api_keys) RETURNS jsonb LANGUAGE sql STABLE AS $$
select jsonb_build_object('id', k.id, 'accountId', k.account_id, 'name', k.name, 'lastFour', k.last_four, 'quota', k.quota_nano::text,
  'families', k.families, 'models', k.models, 'submitPerMinute', k.submit_per_minute, 'queryPerMinute', k.query_per_minute,
  'maxConcurrent', k.max_concurrent, 'manage', k.can_manage, 'isTest', k.is_test, 'makerId', k.maker_id, 'madeBy', k.made_by, 'createdAt', k.created_at,
  'expiresAt', k.expires_at, 'revokedAt', k.revoked_at,
  'lastUsedAt', (select u.last_used_at from api_key_uses u where u.key_id = k.id))
$$;

-- Adds a key to an account; `fields` has columns of `api_keys`. No row: there is no such account, or it is closed; the account has
-- `max_keys` keys already; or the key that makes it was revoked, or is of an account that is suspended.
--
-- What a user of the console makes is the account's: the key that stands for the user is written down, and binds nothing.
--
-- The account is locked first, as by bookings and by `change_key`: each command sees what was committed before it began, so no two
-- count the same keys, and the maker's limits are those that stand.
CREATE OR REPLACE FUNCTION make_key(fields jsonb, max_keys int) RETURNS SETOF api_keys LANGUAGE plpgsql AS $$
DECLARE
  made api_keys := jsonb_populate_record(NULL::api_keys, fields);
  maker api_keys;
  made_for_user text;
BEGIN
  PERFORM 1 FROM accounts a
  WHERE a.id = made.account_id AND (a.state = 'active' OR a.state = 'suspended' AND made.maker_id IS NULL) FOR UPDATE;
  IF NOT FOUND THEN RETURN; END IF;
  SELECT * INTO maker FROM api_keys k WHERE k.id = made.maker_id AND k.account_id = made.account_id AND k.revoked_at IS NULL;
  IF NOT FOUND AND made.maker_id IS NOT NULL THEN RETURN; END IF;
  SELECT u.credential_id INTO made_for_user FROM users u WHERE u.credential_id = made.maker_id;
  IF FOUND THEN made.maker_id := NULL; END IF;
  IF max_keys <= (
    SELECT count(*) FROM api_keys k LEFT JOIN api_keys o ON o.id = k.maker_id
    WHERE k.account_id = made.account_id AND k.revoked_at IS NULL AND o.revoked_at IS NULL
  ) THEN RETURN; END IF;
  RETURN QUERY INSERT INTO api_keys (id, account_id, secret_hash, last_four, is_test, maker_id, made_by, name, quota_nano, families, models,
      submit_per_minute, query_per_minute, max_concurrent, expires_at, can_manage)
    VALUES (made.id, made.account_id, made.secret_hash, made.last_four, made.is_test OR maker.is_test IS TRUE, made.maker_id,
      made_for_user, made.name, made.quota_nano, made.families, made.models, made.submit_per_minute, made.query_per_minute,
      least(made.max_concurrent, maker.max_concurrent), made.expires_at, made.can_manage)
    RETURNING *;
END $$;
