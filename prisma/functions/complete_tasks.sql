-- Makes tasks terminal: state, settlement or refund, the attempt's end and the callback's row, in one call, which is one transaction. Stages:
--
-- 1. Lock the tasks, in the order of their ids. Whoever locks a task first and finds it unfinished under its fence wins; everybody else
--    changes nothing and gets no row. Each command of a function sees what was committed before it began, so that an attempt that was
--    begun while this waited is seen as well.
-- 2. `judge_endings`: how each task ends, and what is settled.
-- 3. Lock accounts, then keys, each in the order of ids, as everywhere.
-- 4. `settle_endings` moves the money.
-- 5. `write_endings` writes the tasks, the rows of their callbacks and the notes of operators; `end_attempts` their attempts.
--
-- `items` is an array of objects, one for each task:
--
-- - taskId, status ('completed' or 'failed'), deliveryId (the id for its callback, if it has one)
-- - fence; null: any. onlyUnpaid: only while no upstream has been asked, that is no attempt is open, and no process runs it that took it in
-- - costNano, a decimal text; units: the quantity of each unit for which it is settled; result, usage, error
-- - attempt: how the attempt under way ended. calls: those that no attempt was written for, in their order
-- - note: for the audit log, if an operator ends the task
--
-- `kept_form` is the form of kept ends that the caller writes. A row that is held for longer than `lock_wait_ms` fails the call.
CREATE OR REPLACE FUNCTION complete_tasks(items jsonb, kept_form int, lock_wait_ms int) RETURNS TABLE (
  task_id text, delivery_id text, overrun bigint, freed_of_key text, status text, family text, model text, is_test boolean,
  channel_id text, settled_nano bigint, cost_nano bigint, seconds float8, trace_context text
) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  ids text[] := ARRAY(SELECT i->>'taskId' FROM jsonb_array_elements(items) i);
  endings ending[];
BEGIN
  PERFORM set_config('lock_timeout', lock_wait_ms::text, true);
  PERFORM 1 FROM tasks t WHERE t.id = ANY(ids) AND (t.status IN ('completed', 'failed')) IS NOT TRUE ORDER BY t.id FOR UPDATE;
  endings := judge_endings(items, kept_form);
  PERFORM 1 FROM accounts a WHERE a.id = ANY(ARRAY(SELECT e.account_id FROM unnest(endings) e)) ORDER BY a.id FOR UPDATE;
  PERFORM 1 FROM api_keys k WHERE k.id = ANY(ARRAY(SELECT e.key_id FROM unnest(endings) e)) ORDER BY k.id FOR UPDATE;
  PERFORM settle_endings(endings);
  PERFORM write_endings(endings);
  PERFORM end_attempts(endings);
  RETURN QUERY
  SELECT e.task_id, CASE WHEN e.webhook IS NOT NULL THEN e.delivery_id END, e.overrun_nano,
    CASE WHEN e.had_slot THEN (SELECT k.id FROM api_keys k WHERE k.id = e.key_id AND k.max_concurrent IS NOT NULL) END,
    e.end_status, e.family, e.model, e.is_test, e.paid_channel_id, e.settled_nano, e.vendor_cost_nano,
    extract(epoch FROM now() - e.created_at)::float8, e.trace_context
  FROM unnest(endings) e;
END $$;
