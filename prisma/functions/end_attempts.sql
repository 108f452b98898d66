-- Ends the attempts of tasks that end: the one that is named as it ended, any other that is open as unknown; and writes those for calls that no
-- attempt was written for. Nobody has to find out what became of a test's: no vendor charges for it.
CREATE OR REPLACE FUNCTION end_attempts(endings ending[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
WITH made AS (
  INSERT INTO task_attempts (id, task_id, number, channel_id, protocol, state, fault, detail, request_ids, usage,
      answer, cost_nano, cost_origin, started_at, ended_at, resolution, resolved_at)
    SELECT c.id, e.task_id, c.number, c."channelId", c.protocol, c.state, c.fault, c.detail, coalesce(c."requestIds", '{}'),
      c.usage, c.answer, c."costNano", c."costOrigin",
      now() - e.kept_for - make_interval(secs => c."beganMsAgo" / 1000), now() - e.kept_for - make_interval(secs => c."endedMsAgo" / 1000),
      CASE WHEN e.is_test AND c.state = 'unknown' THEN 'not_paid' END, CASE WHEN e.is_test AND c.state = 'unknown' THEN now() END
    FROM unnest(endings) e
    CROSS JOIN LATERAL jsonb_to_recordset(e.calls)
      AS c(id text, number int, "channelId" text, protocol text, state text, fault text, detail text, "requestIds" text[],
        usage jsonb, answer text, "costNano" bigint, "costOrigin" text, "beganMsAgo" float8, "endedMsAgo" float8)
)
UPDATE task_attempts a
  SET state = coalesce(x.state, 'unknown'), fault = x.fault,
    detail = CASE WHEN x.state IS NULL THEN 'the task ended first' ELSE x.detail END,
    resolution = CASE WHEN e.is_test AND coalesce(x.state, 'unknown') = 'unknown' THEN 'not_paid' END,
    resolved_at = CASE WHEN e.is_test AND coalesce(x.state, 'unknown') = 'unknown' THEN now() END,
    usage = x.usage, answer = x.answer, cost_nano = x."costNano", cost_origin = x."costOrigin", ended_at = now(),
    request_ids = a.request_ids || coalesce(x."requestIds", '{}')
  FROM unnest(endings) e JOIN task_attempts o ON o.task_id = e.task_id AND (o.state NOT IN ('starting', 'accepted')) IS NOT TRUE
  LEFT JOIN LATERAL jsonb_to_record(CASE WHEN coalesce(e.attempt->>'id', o.id) = o.id THEN e.attempt END)
    AS x(state text, fault text, detail text, usage jsonb, answer text, "costNano" bigint, "costOrigin" text, "requestIds" text[]) ON true
  WHERE a.id = o.id AND (a.state NOT IN ('starting', 'accepted')) IS NOT TRUE;
END $$;
