-- The fence that follows one of a row: the next number, or the first of the database's epoch. An epoch has 100,000 fences of a row, many times
-- what one is claimed; the column has room for 21,474 epochs.
CREATE OR REPLACE FUNCTION next_fence(fence int) RETURNS int LANGUAGE sql STABLE AS $$
  SELECT greatest(fence + 1, least(fence_epoch(), 21474) * 100000)
$$;
