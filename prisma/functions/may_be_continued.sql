-- Whether a task is open, and no other that has not failed continues it. `is not true` keeps its look-up on the primary key.
CREATE OR REPLACE FUNCTION may_be_continued(parent_id text) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN EXISTS (SELECT FROM tasks p WHERE p.id = parent_id AND (p.status IN ('completed', 'failed')) IS NOT TRUE)
    AND NOT EXISTS (SELECT FROM tasks c WHERE c.parent_task_id = parent_id AND c.status <> 'failed');
END $$;
