-- Chooses the undecided submissions that can be paid: in order of arrival, while the money of their account, their key, and the key that made
-- theirs lasts. A quota is for its key and all that this one made. What cannot be paid alone takes nothing from those behind it.
CREATE OR REPLACE FUNCTION fund_bookings(bookings booking[]) RETURNS booking[] LANGUAGE plpgsql AS $$
BEGIN
RETURN ARRAY(
  select f.booking from (
    select b as booking,
      sum(b.amount) over (partition by b.account_id order by b.ordinal) as account_total,
      sum(b.amount) over (partition by b.key_id order by b.ordinal) as key_total,
      sum(b.amount) over (partition by b.owner_id order by b.ordinal) as shared_total
    from unnest(bookings) b
    where b.decision is null and b.is_first_twin and b.amount <= b.account_balance
      and (b.key_available is null or b.amount <= b.key_available)
  ) f
  where f.account_total <= (f.booking).account_balance
    and ((f.booking).own_available is null or f.key_total <= (f.booking).own_available)
    and ((f.booking).shared_available is null or f.shared_total <= (f.booking).shared_available)
  order by (f.booking).ordinal
);
END $$;
