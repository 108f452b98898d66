import type { Statement } from '../../statement';
import { HOLDS_NO_MORE, isOpen, OF_OPERATORS, OPERATORS, raiseFor, type Watched } from './watch-for';

const KIND = 'channel_sick';
/** A look at so many takes some hundred milliseconds. */
const LOOKED_AT = 100_000;

const HOLDING = `${OF_OPERATORS},
holds as materialized (
  select '${OPERATORS}' as owner, b.channel_id as subject, null::text as account_id, 0 as level, min(b.opened_at) as since,
    jsonb_build_object('processes', count(*)) as figures
  from open_breakers b where b.seen_at > now() - interval '15 seconds' group by b.channel_id
  having min(b.opened_at) <= now() - make_interval(mins => (select coalesce(o.channel_minutes, $1::int) from of_operators o))
)`;

/** Channels whose breaker some process has had open for so long, as the processes report it every few seconds. */
export const watchChannels: Statement<[minutes: number], Pick<Watched, 'raised'>> = {
  text: raiseFor(KIND, HOLDING),
  values: (minutes) => [minutes],
};

/**
 * A process that has ended reports nothing: a channel is sick no more once an attempt there has succeeded, or none was made for a
 * day, or is among the newest of all channels. Those are read once for all notices, and only while there is one that may be over.
 */
export const endSickChannels: Statement<[minutes: number, lookedAt?: number], Pick<Watched, 'ended'>> = {
  text: `
with ${HOLDING.trim()},
candidate as materialized (
  select n.id, n.subject, n.since from notices n where ${isOpen(KIND)} and ${HOLDS_NO_MORE}
),
recent as materialized (
  select a.channel_id, a.state, a.ended_at from task_attempts a
  where a.id >= 'att_' || first_id_at(now() - interval '1 day') and exists (select from candidate) order by a.id desc limit $2
),
ended as (
  update notices n set ended_at = now() from candidate c
  where n.id = c.id and ${isOpen(KIND)} and (
    not exists (select from recent a where a.channel_id = c.subject)
    or exists (select from recent a where a.channel_id = c.subject and a.state = 'succeeded' and a.ended_at > c.since)
  )
  returning n.id
)
select (select count(*)::int from ended) as ended`,
  values: (minutes, lookedAt = LOOKED_AT) => [minutes, lookedAt],
};
