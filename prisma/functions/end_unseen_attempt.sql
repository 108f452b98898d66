-- Ends an attempt as one that nobody knows the outcome of, if it is open. For a statement that ends the attempt's task: the attempt may
-- have been begun while that statement waited for the task's lock, and is in no snapshot of it. A function's command takes a new one.
CREATE OR REPLACE FUNCTION end_unseen_attempt(open_attempt text) RETURNS void LANGUAGE sql VOLATILE AS $$
  UPDATE task_attempts SET state = 'unknown', detail = 'the task ended first', ended_at = now()
  WHERE id = open_attempt AND state IN ('starting', 'accepted')
$$;
