-- Writes the tasks of what was decided, with their labels. `awaiting` has the ordinals of those that await a slot of their key.
--
-- The task of whoever sets `runsHere` is processed by the process that submits it, under a lease; its next step is its
-- deadline. That of whoever sets `begun` has the claim of the worker that it is handed to, and the intent of its first attempt,
-- as if the worker had written both: APIs of 0.1.0 send it, which run beside the release that follows, and the one after that
-- drops it. Whoever sets `expiresInSeconds` must have been begun by then.
CREATE OR REPLACE FUNCTION write_booked_tasks(booked booking[], awaiting bigint[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
INSERT INTO tasks (id, account_id, key_id, family, kind, model, operation, input, rates, catalogue_version, warnings,
    webhook, language, parent_task_id, request_id, reserved_nano, deadline_at, next_step_at, status, started_at,
    run_by_submitter, lease_until, metadata, start_by, is_test, trace_context, fence, attempt_id, attempt_state, channel_id,
    attempts_made, awaits_key_slot, woken_at, listener)
  SELECT b.task_id, b.account_id, b.key_id, f->>'family', f->>'kind', f->>'model', f->>'operation',
    f->'input', f->'rates', (f->>'catalogueVersion')::int, array(SELECT jsonb_array_elements_text(f->'warnings')),
    f->>'webhook', f->>'language', f->>'parentTaskId', f->>'requestId', b.amount, n.deadline,
    CASE WHEN f ? 'runsHere' OR n.awaits THEN n.deadline ELSE now() END,
    CASE WHEN f ? 'runsHere' THEN 'processing' WHEN f ? 'begun' THEN 'pending' ELSE 'submitted' END,
    CASE WHEN f ?| '{runsHere,begun}' THEN now() END,
    f ? 'runsHere', now() + make_interval(secs => (f->>'leaseMs')::float8 / 1000),
    f->'metadata', now() + make_interval(secs => (f->>'expiresInSeconds')::int), b.is_test,
    f->>'traceContext', (f ? 'begun')::int, f#>>'{begun,attemptId}',
    CASE WHEN f ? 'begun' THEN 'starting' END, f#>>'{begun,channelId}', (f ? 'begun')::int,
    n.awaits, CASE WHEN n.awaits THEN now() END, f->'listener'
  FROM unnest(booked) b CROSS JOIN LATERAL (SELECT b.fields) AS of(f)
  CROSS JOIN LATERAL (
    SELECT now() + make_interval(secs => (f->>'deadlineMs')::float8 / 1000) AS deadline, b.ordinal = ANY(coalesce(awaiting, '{}')) AS awaits
  ) n;
INSERT INTO task_attempts (id, task_id, number, channel_id, protocol, state)
  SELECT b.fields#>>'{begun,attemptId}', b.task_id, 1, b.fields#>>'{begun,channelId}', b.fields#>>'{begun,protocol}', 'starting'
  FROM unnest(booked) b WHERE b.fields ? 'begun';
INSERT INTO task_labels (account_id, label_hash, task_id)
  SELECT b.account_id, l.label_hash, b.task_id
  FROM unnest(booked) b CROSS JOIN LATERAL task_label_hashes(b.fields->'metadata') AS l(label_hash) WHERE b.fields ? 'metadata';
END $$;
