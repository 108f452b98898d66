-- The amount that a submission with `leastNano` holds: `leastNano` at least, and the key's budget (`key_has`, at most the whole amount) as far as the
-- account covers it. With `holdsByHalves` the key's budget is halved until the account covers it, which reveals no more of the balance than a
-- refusal does. Null: a submission without `leastNano` holds the whole amount.
CREATE OR REPLACE FUNCTION amount_to_hold(fields jsonb, key_has bigint, balance bigint) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN fields ? 'leastNano' THEN greatest((fields->>'leastNano')::bigint,
    CASE WHEN fields ? 'holdsByHalves' THEN key_has >> greatest(0, ceil(log(2.0, greatest(key_has, 1) / greatest(balance, 1.0))))::int
      ELSE least(key_has, balance) END) END
$$;
