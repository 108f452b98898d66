-- Closes an attempt that never reached its vendor. For a statement that takes the attempt back from its task: the attempt may have been
-- begun while that statement waited for the task's lock, and is in no snapshot of it. A function's command takes a new one.
CREATE OR REPLACE FUNCTION withdraw_attempt(unsent_attempt text, why text, explained text) RETURNS void LANGUAGE sql VOLATILE AS $$
  UPDATE task_attempts a SET state = 'refused', fault = why, detail = explained, cost_nano = 0, ended_at = now()
  WHERE a.id = unsent_attempt AND a.state = 'starting'
$$;
