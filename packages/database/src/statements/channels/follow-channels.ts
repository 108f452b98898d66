import type { Statement } from '../../statement';
import { IS_PACED } from './channel-paces';

export interface FollowedChannels {
  /** The version of operators' settings. */
  version: bigint;
  /** Channels whose vendors throttle: their starts take turns. */
  pacedChannels: string[];
  /** Tasks wait for slots of channels. */
  isSlotAwaited: boolean;
}

/** A breaker that a process has open; without a model it is the channel's. */
export interface ReportedBreaker {
  channelId: string;
  model?: string;
}

/**
 * Every process asks for this every second, and by the way reports the breakers that it has open. Nothing is written while none is
 * open. Reports of processes that have ended are deleted after a minute.
 */
export const followChannels: Statement<
  [processId: string, openBreakers: readonly ReportedBreaker[]],
  FollowedChannels
> = {
  text: `
with gone as (
  delete from open_breakers b
  where (b.process_id = $1 and b.channel_id <> all($2::text[])) or b.seen_at < now() - interval '1 minute'
),
gone_of_models as (
  delete from open_model_breakers b
  where (b.process_id = $1 and (b.channel_id, b.model) not in (select * from unnest($3::text[], $4::text[])))
    or b.seen_at < now() - interval '1 minute'
),
seen as (
  insert into open_breakers as b (process_id, channel_id) select distinct $1, u.id from unnest($2::text[]) as u(id)
  on conflict (process_id, channel_id) do update set seen_at = now()
),
seen_of_models as (
  insert into open_model_breakers as b (process_id, channel_id, model)
  select distinct $1, u.id, u.model from unnest($3::text[], $4::text[]) as u(id, model)
  on conflict (process_id, channel_id, model) do update set seen_at = now()
)
select v.version, array(select p.channel_id from channel_paces p where ${IS_PACED}) as "pacedChannels",
  exists (select from slot_waiters) as "isSlotAwaited"
from settings_version v`,
  values(processId, openBreakers) {
    const whole = openBreakers.flatMap(({ channelId, model }) => (model === undefined ? [channelId] : []));
    const ofModels = openBreakers.flatMap(({ channelId, model }) =>
      model === undefined ? [] : [{ channelId, model }],
    );
    return [processId, whole, ofModels.map(({ channelId }) => channelId), ofModels.map(({ model }) => model)];
  },
};

export interface OpenBreakers {
  channelId: string;
  /** Null: the whole channel. */
  model: string | null;
  /** Processes that pass it over now. */
  processes: number;
  since: Date;
}

/** Lists the breakers of processes that have asked within 15 seconds. */
export const listOpenBreakers: Statement<[], OpenBreakers> = {
  text: `
select b.channel_id as "channelId", b.model, count(*)::int as processes, min(b.opened_at) as since
from (
  select o.channel_id, null::text as model, o.opened_at, o.seen_at from open_breakers o
  union all select m.channel_id, m.model, m.opened_at, m.seen_at from open_model_breakers m
) b
where b.seen_at > now() - interval '15 seconds' group by b.channel_id, b.model order by b.channel_id, b.model`,
  values: () => [],
};
