-- What vendors charged for jobs of a task that led to nothing; null: not known for one of them.
CREATE OR REPLACE FUNCTION cost_of_refused_attempts(wanted_task text) RETURNS bigint LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (
    SELECT CASE WHEN bool_or(a.cost_nano IS NULL) THEN NULL ELSE coalesce(sum(a.cost_nano), 0)::bigint END
    FROM task_attempts a WHERE a.task_id = wanted_task AND a.state = 'refused'
  );
END $$;
