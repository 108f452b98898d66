-- Keys that exist keep what they see: all of their account.
ALTER TABLE "api_keys" ADD COLUMN     "scope" TEXT NOT NULL DEFAULT 'account' CHECK ("scope" IN ('own', 'account'));

-- Changes the columns of a key that `fields` has; `revoked` ends it, with those that it made. No row: there is no such key; it,
-- or the key that made it, was revoked; or it would manage although a key made it. A made key never runs more tasks at once than its
-- maker may, whichever of the two is changed.
--
-- Locks the account, then the keys by id, as bookings do. Whoever holds the account's lock sees sums that nobody raises meanwhile,
-- so a quota never falls below what the key, with those that it made, holds and has spent: that is a check_violation.
CREATE OR REPLACE FUNCTION change_key(wanted_key text, fields jsonb) RETURNS TABLE (before jsonb, after jsonb) LANGUAGE plpgsql AS $$
DECLARE
  old api_keys;
  changed api_keys;
  maker api_keys;
BEGIN
  PERFORM 1 FROM accounts a WHERE a.id = (SELECT k.account_id FROM api_keys k WHERE k.id = wanted_key) FOR UPDATE;
  PERFORM 1 FROM api_keys k WHERE k.id = wanted_key OR k.maker_id = wanted_key ORDER BY k.id FOR UPDATE;
  SELECT * INTO old FROM api_keys k WHERE k.id = wanted_key AND k.revoked_at IS NULL;
  SELECT * INTO maker FROM api_keys k WHERE k.id = old.maker_id;
  changed := jsonb_populate_record(old, fields);
  IF old.id IS NULL OR maker.revoked_at IS NOT NULL OR (maker.id IS NOT NULL AND changed.can_manage) THEN RETURN; END IF;
  IF fields ? 'revoked' THEN changed.revoked_at := now(); END IF;
  IF fields ? 'quota_nano' AND shared_quota_left(changed) < 0 THEN
    RAISE 'the quota of key % is below its use', wanted_key USING ERRCODE = 'check_violation';
  END IF;
  changed.max_concurrent := least(changed.max_concurrent, maker.max_concurrent);
  UPDATE api_keys k SET name = changed.name, quota_nano = changed.quota_nano, families = changed.families, models = changed.models,
    submit_per_minute = changed.submit_per_minute, query_per_minute = changed.query_per_minute,
    max_concurrent = changed.max_concurrent, expires_at = changed.expires_at, can_manage = changed.can_manage, scope = changed.scope,
    secret_hash = changed.secret_hash, last_four = changed.last_four, revoked_at = changed.revoked_at
  WHERE k.id = wanted_key;
  UPDATE api_keys k SET max_concurrent = changed.max_concurrent
  WHERE k.maker_id = wanted_key AND changed.max_concurrent IS NOT NULL AND (k.max_concurrent <= changed.max_concurrent) IS NOT TRUE;
  before := key_snapshot(old);
  after := key_snapshot(changed);
  RETURN NEXT;
END $$;

-- A key's own row for the audit log, without its secret and what it has spent; not what its maker's limits make of it. The quota stands
-- in nano-units, as decimal text, because JSON numbers are floats.
CREATE OR REPLACE FUNCTION key_snapshot(k api_keys) RETURNS jsonb LANGUAGE sql STABLE AS $$
select jsonb_build_object('id', k.id, 'accountId', k.account_id, 'name', k.name, 'lastFour', k.last_four, 'quota', k.quota_nano::text,
  'families', k.families, 'models', k.models, 'submitPerMinute', k.submit_per_minute, 'queryPerMinute', k.query_per_minute,
  'maxConcurrent', k.max_concurrent, 'manage', k.can_manage, 'scope', k.scope, 'isTest', k.is_test, 'makerId', k.maker_id, 'madeBy', k.made_by, 'createdAt', k.created_at,
  'expiresAt', k.expires_at, 'revokedAt', k.revoked_at,
  'lastUsedAt', (select u.last_used_at from api_key_uses u where u.key_id = k.id))
$$;

-- Adds a key to an account; `fields` has columns of `api_keys`. No row: there is no such account, or it is closed; the account has
-- `max_keys` keys already; or the key that makes it was revoked, or is of an account that is suspended.
--
-- What a user of the console makes is the account's: the key that stands for the user is written down, and binds nothing.
--
-- A key sees its account where `fields` do not say its scope, and one that another key makes only what it makes itself.
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
  made.scope := coalesce(made.scope, CASE WHEN made.maker_id IS NULL THEN 'account' ELSE 'own' END);
  RETURN QUERY INSERT INTO api_keys (id, account_id, secret_hash, last_four, is_test, maker_id, made_by, name, quota_nano, families, models,
      submit_per_minute, query_per_minute, max_concurrent, expires_at, can_manage, scope)
    VALUES (made.id, made.account_id, made.secret_hash, made.last_four, made.is_test OR maker.is_test IS TRUE, made.maker_id,
      made_for_user, made.name, made.quota_nano, made.families, made.models, made.submit_per_minute, made.query_per_minute,
      least(made.max_concurrent, maker.max_concurrent), made.expires_at, made.can_manage, made.scope)
    RETURNING *;
END $$;
