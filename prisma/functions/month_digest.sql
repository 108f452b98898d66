-- SHA-256 of a month of the ledger: of the digest of the month before, so that the months are a chain, of its bounds, of the digests of its
-- entries, and of its sums.
CREATE OR REPLACE FUNCTION month_digest(closed_month date) RETURNS bytea LANGUAGE sql STABLE AS $$
  SELECT sha256(
    coalesce((SELECT b.digest FROM closed_months b WHERE b.month < c.month ORDER BY b.month DESC LIMIT 1), '')
    || convert_to(jsonb_build_array(to_char(c.month, 'YYYY-MM'), c.after_entry_id, c.up_to_entry_id, (
      SELECT string_agg(encode(p.digest, 'hex'), ',' ORDER BY p.place) FROM unnest(c.piece_digests) WITH ORDINALITY p(digest, place)), (
      SELECT string_agg(jsonb_build_array(s.account_id, s.key_id, s.entries, s.topped_up_nano, s.adjusted_nano, s.held_nano, s.settled_nano,
        s.released_nano, s.refunded_nano)::text, ',' ORDER BY s.account_id COLLATE "C", s.key_id COLLATE "C")
      FROM month_seals s WHERE s.month = c.month))::text, 'UTF8'))
  FROM closed_months c WHERE c.month = closed_month
$$;
