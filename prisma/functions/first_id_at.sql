-- The least time-ordered id that a process could make at a moment, by the clock of the database: 10 digits of base32 for the milliseconds,
-- and 16 zeros in the place of the random ones. Whatever is deleted or summed up by the age of its id is compared with this.
CREATE OR REPLACE FUNCTION first_id_at(moment timestamptz) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT string_agg(substr('0123456789abcdefghjkmnpqrstvwxyz', ((m.ms >> (5 * n)) & 31)::int + 1, 1), '' ORDER BY n DESC) || repeat('0', 16)
  FROM (SELECT greatest(floor(extract(epoch FROM moment) * 1000), 0)::bigint AS ms) m, generate_series(0, 9) n
$$;
