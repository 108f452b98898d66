-- Writes the end of tasks into their rows, the rows of their callbacks, and the notes of operators.
--
-- A task that ends as its process kept it takes the next fence: whoever completes the task itself, for more, must not find its own fence there.
CREATE OR REPLACE FUNCTION write_endings(endings ending[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
WITH delivery AS (
  INSERT INTO webhook_deliveries (id, task_id, account_id, url, trace_context)
    SELECT e.delivery_id, e.task_id, e.account_id, e.webhook, e.trace_context FROM unnest(endings) e WHERE e.webhook IS NOT NULL
),
noted AS (
  INSERT INTO audit_log (actor, action, subject, detail, idempotency_key, request_hash)
    SELECT n.actor, n.action, e.task_id, jsonb_strip_nulls(jsonb_build_object('reason', n.reason)) || jsonb_build_object(
        'before', jsonb_build_object('status', e.former_status),
        'after', jsonb_build_object('status', e.end_status, 'refunded_nano', (e.held_nano - e.settled_nano)::text,
          'delivery_id', CASE WHEN e.webhook IS NOT NULL THEN e.delivery_id END)),
      n.key, decode(n.hash, 'hex')
    FROM unnest(endings) e
    CROSS JOIN LATERAL jsonb_to_record(e.note) AS n(actor text, action text, reason text, key text, hash text)
    WHERE e.note IS NOT NULL
)
UPDATE tasks t SET status = e.end_status, fence = CASE WHEN e.is_kept_end THEN next_fence(t.fence) ELSE t.fence END, progress = 100,
    completed_at = now(), cost_nano = e.settled_nano, result = e.result, usage = e.usage, error = e.error, lease_until = NULL,
    attempt_state = NULL, upstream_operation = NULL, end_if_abandoned = NULL, listener = NULL,
    channel_id = coalesce(e.calls #>> '{-1,channelId}', t.channel_id),
    attempts_made = t.attempts_made + coalesce(jsonb_array_length(e.calls), 0)
  FROM unnest(endings) e WHERE t.id = e.task_id;
END $$;
