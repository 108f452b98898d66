-- Trigger `tasks_status_forward`: status and progress of a task only go forward.
CREATE OR REPLACE FUNCTION refuse_backward_step() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'task % cannot go from % to %', OLD.id, OLD.status, NEW.status;
END $$;
