-- CreateTable
CREATE TABLE "channel_paces" (
    "channel_id" TEXT NOT NULL,
    "throttled_at" TIMESTAMPTZ(3) NOT NULL,
    "cooling_until" TIMESTAMPTZ(3) NOT NULL,
    "strikes" INTEGER NOT NULL,
    "ceiling" DOUBLE PRECISION,
    "next_start_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "channel_paces_pkey" PRIMARY KEY ("channel_id")
);

-- A start on the channel was throttled: the channel rests, and goes on slowly. Returns for how many seconds it rests from now.
--
-- Of starts that were under way together the first one counts. A channel rests for 1 s, and for 2, 4 and 8 s if it is throttled
-- again within a second after a rest, each spread over 25 % both ways; longer where the vendor wants that. What it took in the 5
-- seconds before, from attempts with an id of `counted_from` or later, is the pace that it returns to.
CREATE OR REPLACE FUNCTION throttle_channel(
  throttled_channel text, throttled_attempt text, counted_from text, vendors_rest_seconds float8
) RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE
  began timestamptz := (SELECT started_at FROM task_attempts WHERE id = throttled_attempt);
  pace channel_paces;
  rest_seconds float8 := vendors_rest_seconds;
BEGIN
  INSERT INTO channel_paces (channel_id, throttled_at, cooling_until, next_start_at, strikes)
    VALUES (throttled_channel, 'epoch', 'epoch', 'epoch', 0) ON CONFLICT DO NOTHING;
  SELECT * INTO pace FROM channel_paces WHERE channel_id = throttled_channel FOR UPDATE;
  IF began > pace.throttled_at THEN
    IF began > pace.cooling_until + interval '1 second' THEN
      pace.strikes := 0;
      pace.ceiling := coalesce((
        SELECT nullif(count(*), 0) / 5.0 FROM task_attempts a
        WHERE a.id >= counted_from AND a.channel_id = throttled_channel AND a.state IN ('accepted', 'succeeded')
      ), pace.ceiling);
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
