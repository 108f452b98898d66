DROP FUNCTION count_notice_targets(wanted_owner text);
-- Targets of notices that an owner has, and has had within a day; tests that it has asked for within a day; and the addresses that were
-- tested within the last 10 seconds or whose test has not ended. Under a lock of the owner: whoever adds or tests one in the statement
-- that calls it is counted by the next, because each command of a function sees what was committed before it began.
CREATE OR REPLACE FUNCTION count_notice_targets(wanted_owner text) RETURNS TABLE (present bigint, today bigint, tests bigint, tested text[])
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('notice targets:' || wanted_owner, 0));
  RETURN QUERY SELECT count(*) FILTER (WHERE t.removed_at IS NULL), count(*) FILTER (WHERE t.created_at > now() - interval '1 day'),
    (
      SELECT count(*) FROM notice_messages m JOIN notice_targets s ON s.id = m.target_id
      WHERE s.owner = wanted_owner AND m.is_test AND m.created_at > now() - interval '1 day'
    ),
    ARRAY(
      SELECT s.address FROM notice_messages m JOIN notice_targets s ON s.id = m.target_id
      WHERE s.owner = wanted_owner AND m.is_test AND m.created_at > clock_timestamp() - interval '10 seconds'
    ) || ARRAY(
      SELECT s.address FROM notice_messages m JOIN notice_targets s ON s.id = m.target_id
      WHERE s.owner = wanted_owner AND m.is_test AND m.state = 'pending'
    )
  FROM notice_targets t WHERE t.owner = wanted_owner;
END $$;
