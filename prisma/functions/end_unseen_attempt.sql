-- Statements of 0.1.0 call it, which run beside the release that follows; the one after that drops it.
-- Ends an attempt as one that nobody knows the outcome of, if it is open. For a statement that ends the attempt's task: the attempt may
-- have been begun while that statement waited for the task's lock, and is in no snapshot of it. A function's command takes a new one.
-- Nobody has to find out what became of a test's: no vendor charges for it.
CREATE OR REPLACE FUNCTION end_unseen_attempt(open_attempt text) RETURNS void LANGUAGE sql VOLATILE AS $$
  UPDATE task_attempts a SET state = 'unknown', detail = 'the task ended first', ended_at = now(),
    resolution = CASE WHEN t.is_test THEN 'not_paid' END, resolved_at = CASE WHEN t.is_test THEN now() END
  FROM tasks t WHERE a.id = open_attempt AND a.state IN ('starting', 'accepted') AND t.id = a.task_id
$$;
