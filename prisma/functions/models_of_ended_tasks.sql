-- Lists the models of a family of which an account has ended tasks, each found by one look into "tasks_ended_by_model"; why it sorts
-- nothing, `ended_tasks_of_model` says.
CREATE OR REPLACE FUNCTION models_of_ended_tasks(wanted_account text, wanted_family text)
RETURNS SETOF text LANGUAGE plpgsql STABLE
SET enable_sort = off
SET enable_incremental_sort = off
AS $$
DECLARE
  found_model text := '';
BEGIN
  LOOP
    SELECT t.model INTO found_model FROM tasks t
    WHERE (t.account_id, t.family, t.model) > (wanted_account, wanted_family, found_model)
      AND (t.account_id, t.family) <= (wanted_account, wanted_family) AND t.status IN ('completed', 'failed')
    ORDER BY t.account_id, t.family, t.model LIMIT 1;
    EXIT WHEN NOT FOUND;
    RETURN NEXT found_model;
  END LOOP;
END $$;
