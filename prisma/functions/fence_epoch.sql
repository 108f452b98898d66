-- The epoch that fences are given in. A standby that was promoted is in a new one from its first statement on, before anybody has noted it:
-- the lost primary gave what it did not replicate on another timeline. Each timeline between the noted one and this one counts, because its note
-- may be lost, too. Two standbys of one timeline that share no archive of WAL give their next one the same number: the second promotion is not
-- found here, and an operator raises the fences (`raise_fences`).
CREATE OR REPLACE FUNCTION fence_epoch() RETURNS int LANGUAGE plpgsql STABLE AS $$
DECLARE
  latest fence_epochs;
  timeline int := database_timeline();
BEGIN
  SELECT * INTO latest FROM fence_epochs e ORDER BY e.epoch DESC LIMIT 1;
  IF timeline IS NULL OR timeline = latest.timeline THEN RETURN coalesce(latest.epoch, 0); END IF;
  RETURN coalesce(latest.epoch, 0) + greatest(1, timeline - latest.timeline);
END $$;
