-- Processes of 0.1 call it while a deployment replaces them: `book_tasks` without the columns that came with it. Release 0.2 brings
-- `book_tasks` and still has this one; the release after 0.2 drops it.
CREATE OR REPLACE FUNCTION submit_tasks(
  task_ids text[], account_ids text[], key_ids text[], amounts bigint[], idempotency_key_texts text[],
  request_hashes bytea[], payloads text[], idempotency_seconds int, lock_wait_ms int
) RETURNS TABLE (decision text, earlier_task_id text, earlier_warnings text[]) LANGUAGE sql AS $$
select b.decision, b.earlier_task_id, b.earlier_warnings
from book_tasks(task_ids, account_ids, key_ids, amounts, idempotency_key_texts, request_hashes, payloads,
  idempotency_seconds, lock_wait_ms) b
$$;
