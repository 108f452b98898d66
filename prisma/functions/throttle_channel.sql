-- A start on the channel was throttled: the channel rests, and goes on slowly. Returns for how many seconds it rests from now.
--
-- Of starts that were under way together the first one counts. A channel rests for 1 s, and for 2, 4 and 8 s if it is throttled
-- again within a second after a rest, each spread over 25 % both ways; longer where the vendor wants that.
--
-- The pace that it returns to is what the vendor took in the 5 seconds before, by attempts with an id of `counted_from` or later; of a
-- channel that was paced already, what it took in the second before the last, if that is more: starts are even then, and the seconds
-- before may have been slower. A call of more than a second that is still being answered was taken: refusals come sooner.
CREATE OR REPLACE FUNCTION throttle_channel(
  throttled_channel text, throttled_attempt text, counted_from text, vendors_rest_seconds float8
) RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE
  began timestamptz := (SELECT started_at FROM task_attempts WHERE id = throttled_attempt);
  pace channel_paces;
  rest_seconds float8 := vendors_rest_seconds;
  took float8;
  took_in_second float8;
BEGIN
  INSERT INTO channel_paces (channel_id, throttled_at, cooling_until, next_start_at, strikes)
    VALUES (throttled_channel, 'epoch', 'epoch', 'epoch', 0) ON CONFLICT DO NOTHING;
  SELECT * INTO pace FROM channel_paces WHERE channel_id = throttled_channel FOR UPDATE;
  IF began > pace.throttled_at THEN
    IF began > pace.cooling_until + interval '1 second' THEN
      pace.strikes := 0;
      SELECT count(*) / 5.0, count(*) FILTER (WHERE a.started_at > now() - interval '2 seconds' AND a.started_at <= now() - interval '1 second')
        INTO took, took_in_second FROM task_attempts a
        WHERE a.id >= counted_from AND a.channel_id = throttled_channel
          AND (a.state IN ('accepted', 'succeeded') OR (a.state = 'starting' AND a.started_at <= now() - interval '1 second'));
      IF pace.cooling_until > now() - interval '1 minute' THEN took := greatest(took, took_in_second); END IF;
      pace.ceiling := coalesce(nullif(took, 0), pace.ceiling);
    END IF;
    pace.strikes := pace.strikes + 1;
    pace.throttled_at := now();
    rest_seconds := greatest(rest_seconds, least(2 ^ (pace.strikes - 1), 8) * (0.75 + random() / 2));
  END IF;
  pace.cooling_until := greatest(pace.cooling_until, now() + make_interval(secs => rest_seconds));
  UPDATE channel_paces p SET throttled_at = pace.throttled_at, cooling_until = pace.cooling_until, strikes = pace.strikes,
    ceiling = pace.ceiling, next_start_at = greatest(p.next_start_at, pace.cooling_until)
    WHERE p.channel_id = throttled_channel;
  RETURN extract(epoch FROM pace.cooling_until - now());
END $$;
