-- Trigger `tasks_terminal_is_final`: a completed or failed task never changes.
CREATE OR REPLACE FUNCTION refuse_terminal_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'task % has ended and never changes', OLD.id;
END $$;
