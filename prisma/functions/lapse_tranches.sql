-- Gives back what is left of tranches of credit whose process has not renewed them: it is dead, or was frozen. Whatever that process
-- books on them later finds no row, and is not covered. Those whose account or key somebody holds are left for the next time, so that one
-- held row keeps no others waiting. Answers how many have lapsed.
CREATE OR REPLACE FUNCTION lapse_tranches(ids text[]) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  lapsed bigint;
  free_accounts text[];
  free_keys text[];
BEGIN
free_accounts := ARRAY(
  SELECT a.id FROM accounts a WHERE a.id IN (SELECT t.account_id FROM credit_tranches t WHERE t.id = ANY(ids))
  ORDER BY a.id FOR UPDATE SKIP LOCKED);
free_keys := ARRAY(
  SELECT k.id FROM api_keys k WHERE k.account_id = ANY(free_accounts) AND k.id IN (SELECT t.key_id FROM credit_tranches t WHERE t.id = ANY(ids))
  ORDER BY k.id FOR UPDATE SKIP LOCKED);
WITH gone AS (
  DELETE FROM credit_tranches t
  WHERE t.id = ANY(ids) AND t.expires_at < now() AND t.account_id = ANY(free_accounts) AND t.key_id = ANY(free_keys)
  RETURNING t.account_id, t.key_id, t.left_nano
),
account_move AS (
  UPDATE accounts a SET credit_nano = a.credit_nano - g.total
  FROM (SELECT account_id, sum(left_nano)::bigint AS total FROM gone GROUP BY account_id) g WHERE a.id = g.account_id
),
key_move AS (
  UPDATE api_keys k SET credit_nano = k.credit_nano - g.total
  FROM (SELECT key_id, sum(left_nano)::bigint AS total FROM gone GROUP BY key_id) g WHERE k.id = g.key_id
)
SELECT count(*) INTO lapsed FROM gone;
RETURN lapsed;
END $$;
