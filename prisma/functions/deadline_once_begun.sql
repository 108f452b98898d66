-- The deadline of a task as its first attempt begins. One that must begin by some time was given what its work may take beyond that time, and
-- loses what is left of it; a later attempt changes nothing. 0.1.0 counted the work's time from the submission: a task that it booked keeps a deadline
-- that comes before its time to begin, and loses what it did not wait otherwise.
CREATE OR REPLACE FUNCTION deadline_once_begun(deadline timestamptz, start_by timestamptz) RETURNS timestamptz LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN deadline > start_by THEN deadline - (start_by - now()) ELSE deadline END
$$;
