-- What a key, with those that it made, can still spend of its quota; null: it has none. The keys that it made are of its account,
-- so whoever holds the account's lock sees a sum that nobody raises meanwhile.
CREATE OR REPLACE FUNCTION shared_quota_left(owner api_keys) RETURNS bigint LANGUAGE sql STABLE AS $$
select case when owner.quota_nano is not null then owner.quota_nano - owner.held_nano - owner.settled_nano
  - (select coalesce(sum(made.held_nano + made.settled_nano), 0)::bigint from api_keys made where made.maker_id = owner.id) end
$$;
