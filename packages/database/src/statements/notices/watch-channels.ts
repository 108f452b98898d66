import type { Statement } from '../../statement';
import { FIRST_FAULT, OPEN_BREAKERS } from '../channels/follow-channels';
import { HOLDS_NO_MORE, isOpen, OF_OPERATORS, OPERATORS, raiseFor, type Watched } from './watch-for';

const KIND = 'channel_sick';
/** A look at so many takes some hundred milliseconds. */
const LOOKED_AT = 100_000;

const HOLDING = `${OF_OPERATORS},
holds as materialized (
  select '${OPERATORS}' as owner, concat_ws(' ', b.channel_id, b.model) as subject, null::text as account_id, 0 as level,
    min(b.opened_at) as since,
    jsonb_strip_nulls(jsonb_build_object(
      'processes', count(*), 'channel', b.channel_id, 'model', b.model, 'fault', ${FIRST_FAULT}
    )) as figures
  from ${OPEN_BREAKERS} b
  where b.seen_at > now() - interval '15 seconds' group by b.channel_id, b.model
  having min(b.opened_at) <= now() - make_interval(mins => (select coalesce(o.channel_minutes, $1::int) from of_operators o))
)`;

/** Channels, and models of channels, whose breaker some process has had open for so long, as the processes report it every few seconds. */
export const watchChannels: Statement<[minutes: number], Pick<Watched, 'raised'>> = {
  text: raiseFor(KIND, HOLDING),
  values: (minutes) => [minutes],
};

/**
 * A process that has ended reports nothing: a channel, or a model of one, is sick no more once an attempt there has succeeded, or
 * none was made for a day, or is among the newest of all channels. Those are read once for all notices, and only while there is one that may be over.
 */
export const endSickChannels: Statement<[minutes: number, lookedAt?: number], Pick<Watched, 'ended'>> = {
  text: `
with ${HOLDING.trim()},
candidate as materialized (
  select n.id, n.since, coalesce(n.figures ->> 'channel', n.subject) as channel_id, n.figures ->> 'model' as model
  from notices n where ${isOpen(KIND)} and ${HOLDS_NO_MORE}
),
recent as materialized (
  select a.task_id, a.channel_id, a.state, a.ended_at from task_attempts a
  where a.id >= 'att_' || first_id_at(now() - interval '1 day') and exists (select from candidate) order by a.id desc limit $2
),
of_candidate as materialized (
  select c.id, a.state = 'succeeded' and a.ended_at > c.since as is_success from candidate c
  join recent a on a.channel_id = c.channel_id
  where c.model is null or exists (select from tasks t where t.id = a.task_id and t.model = c.model)
),
ended as (
  update notices n set ended_at = now() from candidate c
  where n.id = c.id and ${isOpen(KIND)} and (
    not exists (select from of_candidate a where a.id = c.id) or exists (select from of_candidate a where a.id = c.id and a.is_success)
  )
  returning n.id
)
select (select count(*)::int from ended) as ended`,
  values: (minutes, lookedAt = LOOKED_AT) => [minutes, lookedAt],
};
