-- Trigger of the ledger: refuses removals of all but entries of tasks in closed months, whose sums are sealed.
CREATE OR REPLACE FUNCTION refuse_unsealed_removal() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (
    SELECT FROM removed e WHERE e.kind NOT IN ('hold', 'settle', 'refund')
      OR e.id > (SELECT coalesce(max(c.up_to_entry_id), 0) FROM closed_months c WHERE c.digest IS NOT NULL)
  ) THEN
    RAISE EXCEPTION 'ledger_entries is append-only: of closed months alone the entries of tasks are removed';
  END IF;
  RETURN NULL;
END $$;
