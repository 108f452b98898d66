-- Lists the ids of an account's ended tasks of one model between two ids, the newest first. Without sorts a plan has the order of
-- "tasks_ended_by_model" alone: else one that expects few tasks of an account reads all that it has, by any index that begins with it.
CREATE OR REPLACE FUNCTION ended_tasks_of_model(
  wanted_account text, wanted_family text, wanted_model text, before_id text, from_id text, max_rows int
)
RETURNS SETOF text LANGUAGE plpgsql STABLE
SET enable_sort = off
SET enable_incremental_sort = off
AS $$
BEGIN
  RETURN QUERY
  SELECT t.id FROM tasks t
  WHERE (t.account_id, t.family, t.model, t.id) < (wanted_account, wanted_family, wanted_model, before_id)
    AND (t.account_id, t.family, t.model, t.id) >= (wanted_account, wanted_family, wanted_model, from_id)
    AND t.status IN ('completed', 'failed')
  ORDER BY t.account_id DESC, t.family DESC, t.model DESC, t.id DESC
  LIMIT max_rows;
END $$;
