-- What is held for a submission that sets `leastNano`: what its key has (`key_has`, the whole amount at most) as far as the account has it, and
-- `leastNano` at least. With `holdsByHalves` it is what the key has, halved until the account has it: that tells the key no more of the balance
-- than a refusal does. Null: without `leastNano` the whole amount is held.
CREATE OR REPLACE FUNCTION amount_to_hold(fields jsonb, key_has bigint, balance bigint) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN fields ? 'leastNano' THEN greatest((fields->>'leastNano')::bigint,
    CASE WHEN fields ? 'holdsByHalves' THEN key_has >> greatest(0, ceil(log(2.0, greatest(key_has, 1) / greatest(balance, 1.0))))::int
      ELSE least(key_has, balance) END) END
$$;
