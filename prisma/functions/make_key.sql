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
