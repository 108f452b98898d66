import type { Statement } from '../../statement';

/** Starts a second after a rest where the vendor's pace is not known, and the most that is held to at all. */
const SLOWEST = 1;
const FASTEST = 200;

/** While the row counts: a channel that was not throttled for a minute goes at any pace. */
export const IS_PACED = "p.cooling_until > now() - interval '1 minute'";

/** How long the channel has gone on since its rest. */
const SECONDS_ON = 'greatest(extract(epoch from now() - p.cooling_until), 0)';

/**
 * Starts a second: from half of what the vendor took before, doubled each second up to that, and beyond it a tenth of it more
 * each second.
 */
const PACE = `least(
  greatest(coalesce(p.ceiling, 0) / 2, ${SLOWEST}) * 2 ^ least(${SECONDS_ON}, 20),
  coalesce(p.ceiling * (1 + ${SECONDS_ON} / 10), ${FASTEST}), ${FASTEST})`;

export interface ThrottledStart {
  channelId: string;
  attemptId: string;
  /** The first id that an attempt of the last five seconds could have. */
  countedFromId: string;
  /** The rest that the vendor asks for; 0: none. */
  restMs: number;
}

export interface ChannelWait {
  /** The wait until the next start; 0: it may be made now. */
  waitMs: number;
}

/** The function `throttle_channel`. */
export const throttleChannel: Statement<[throttled: ThrottledStart], ChannelWait> = {
  text: `select throttle_channel($1, $2, $3, $4::float8 / 1000) * 1000 as "waitMs"`,
  values: ({ channelId, attemptId, countedFromId, restMs }) => [channelId, attemptId, countedFromId, restMs],
};

/** A start that is made later than it might have been is made up for by the next ones, up to so much: nobody asks at the very moment. */
const LATENESS = `interval '100 milliseconds'`;

/** Takes the next start if it may be made now. No row: the channel goes at any pace. */
export const takeChannelStart: Statement<[channelId: string], ChannelWait> = {
  text: `
with pace as materialized (
  select p.channel_id, greatest(p.cooling_until, p.next_start_at) as free_at, ${PACE} as per_second
  from channel_paces p where p.channel_id = $1 and ${IS_PACED} for update
),
taken as (
  update channel_paces p set next_start_at = greatest(f.free_at, now() - ${LATENESS}) + make_interval(secs => 1 / f.per_second)
  from pace f where p.channel_id = f.channel_id and f.free_at <= now()
)
select greatest(extract(epoch from f.free_at - now())::float8 * 1000, 0) as "waitMs" from pace f`,
  values: (channelId) => [channelId],
};
