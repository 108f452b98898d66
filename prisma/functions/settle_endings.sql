-- Moves the money of tasks that end, of each whose reservation is still held: reservations, accounts and keys, once each, entries of the ledger,
-- and overruns, the platform's loss.
--
-- An entry's balance is what the account has once all of its tasks here have moved, without what the later ones gave back.
-- Ids of entries are drawn under the account's lock, so that in their order each balance follows from the one before.
CREATE OR REPLACE FUNCTION settle_endings(endings ending[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
WITH resolved AS (
  UPDATE reservations r SET state = CASE e.end_status WHEN 'completed' THEN 'settled' ELSE 'refunded' END,
    settled_nano = CASE e.end_status WHEN 'completed' THEN e.settled_nano END, units = e.units, resolved_at = now(),
    channel_id = e.paid_channel_id, cost_nano = e.vendor_cost_nano
  FROM unnest(endings) e WHERE r.task_id = e.task_id AND (r.state <> 'held') IS NOT TRUE
  RETURNING e.task_id, e.account_id, e.key_id, e.end_status, e.held_nano, e.settled_nano, e.overrun_nano
),
account AS (
  UPDATE accounts a SET held_nano = a.held_nano - m.held, settled_nano = a.settled_nano + m.settled
  FROM (
    SELECT e.account_id, sum(e.held_nano)::bigint AS held, sum(e.settled_nano)::bigint AS settled FROM resolved e GROUP BY e.account_id
  ) m
  WHERE a.id = m.account_id RETURNING a.id, a.topped_up_nano - a.held_nano - a.settled_nano AS balance
),
balances AS MATERIALIZED (SELECT jsonb_object_agg(a.id, a.balance) AS by_account FROM account a),
api_key AS (
  UPDATE api_keys k SET held_nano = k.held_nano - m.held, settled_nano = k.settled_nano + m.settled
  FROM (
    SELECT e.key_id, sum(e.held_nano)::bigint AS held, sum(e.settled_nano)::bigint AS settled FROM resolved e GROUP BY e.key_id
  ) m
  WHERE k.id = m.key_id
),
overrun AS (
  INSERT INTO overruns (task_id, amount_nano) SELECT e.task_id, e.overrun_nano FROM resolved e WHERE e.overrun_nano > 0
)
INSERT INTO ledger_entries (account_id, key_id, task_id, kind, amount_nano, balance_after_nano)
SELECT e.account_id, e.key_id, e.task_id, CASE e.end_status WHEN 'completed' THEN 'settle' ELSE 'refund' END,
  CASE e.end_status WHEN 'completed' THEN e.settled_nano ELSE e.held_nano END,
  (b.by_account ->> e.account_id)::bigint - coalesce(sum(e.held_nano - e.settled_nano) OVER (
    PARTITION BY e.account_id ORDER BY e.task_id ROWS BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING), 0)
FROM resolved e CROSS JOIN balances b ORDER BY e.task_id;
END $$;
