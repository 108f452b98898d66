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
