-- The deadline of a task as its first attempt begins. One that must begin by some time was given what its work may take beyond that time, and
-- loses what is left of it; a later attempt changes nothing. Tasks booked by 0.1.0, whose deadline may come first, keep theirs.
CREATE OR REPLACE FUNCTION deadline_once_begun(deadline timestamptz, start_by timestamptz) RETURNS timestamptz LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN deadline > start_by THEN deadline - (start_by - now()) ELSE deadline END
$$;
