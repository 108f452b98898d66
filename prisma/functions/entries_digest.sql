-- SHA-256 of the entries after one, up to another, in the order of their ids; of a settlement with what was held for its task.
CREATE OR REPLACE FUNCTION entries_digest(after_id bigint, up_to_id bigint) RETURNS bytea LANGUAGE sql STABLE AS $$
  SELECT sha256(convert_to(coalesce(string_agg(jsonb_build_array(e.id, e.account_id, e.key_id, e.task_id, e.kind, e.amount_nano, e.reference, e.note,
    e.balance_after_nano, extract(epoch FROM e.created_at), r.amount_nano)::text, ',' ORDER BY e.id), ''), 'UTF8'))
  FROM ledger_entries e
  LEFT JOIN LATERAL (SELECT amount_nano FROM reservations WHERE task_id = e.task_id AND e.kind = 'settle' OFFSET 0) r ON true
  WHERE e.id > after_id AND e.id <= up_to_id
$$;
