-- The sum that vendors charged for a task's refused jobs, in nano-units; null: one of them is not known.
CREATE OR REPLACE FUNCTION cost_of_refused_attempts(wanted_task text) RETURNS bigint LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (
    SELECT CASE WHEN bool_or(a.cost_nano IS NULL) THEN NULL ELSE coalesce(sum(a.cost_nano), 0)::bigint END
    FROM task_attempts a WHERE a.task_id = wanted_task AND a.state = 'refused'
  );
END $$;
