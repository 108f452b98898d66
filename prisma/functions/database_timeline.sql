-- The timeline of this server: a number that every promotion of a standby, and every recovery to a point in time, makes larger. Null where the
-- server does not show it, as some managed ones; then an operator raises the fences (`raise_fences`).
CREATE OR REPLACE FUNCTION database_timeline() RETURNS int LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int;
EXCEPTION WHEN others THEN
  RETURN NULL;
END $$;
