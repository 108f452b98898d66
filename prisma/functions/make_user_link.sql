-- Gives a user a link in place of the earlier ones of that purpose. No row: there is no such user, or a disabled one.
--
-- The user's links are made one at a time, and each command sees what was committed before it began: of two at once the later takes
-- the place of the earlier. No unique index says so, because the release before adds the new link before it deletes the former.
CREATE OR REPLACE FUNCTION make_user_link(wanted_hash bytea, wanted_user text, wanted_purpose text, life_seconds float8)
RETURNS SETOF user_links LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('user_links:' || wanted_user, 0));
  IF NOT EXISTS (SELECT FROM users u WHERE u.id = wanted_user AND u.disabled_at IS NULL) THEN RETURN; END IF;
  DELETE FROM user_links l WHERE l.user_id = wanted_user AND l.purpose = wanted_purpose;
  RETURN QUERY INSERT INTO user_links (token_hash, user_id, purpose, expires_at)
    VALUES (wanted_hash, wanted_user, wanted_purpose, now() + make_interval(secs => life_seconds))
    RETURNING *;
END $$;
