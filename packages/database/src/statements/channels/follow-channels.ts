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

/**
 * Every process asks for this every second, and by the way reports the channels whose breakers it has open. Nothing is written
 * while none is open. Reports of processes that have ended are deleted after a minute.
 */
export const followChannels: Statement<[processId: string, openBreakers: readonly string[]], FollowedChannels> = {
  text: `
with gone as (
  delete from open_breakers b
  where (b.process_id = $1 and b.channel_id <> all($2::text[])) or b.seen_at < now() - interval '1 minute'
),
seen as (
  insert into open_breakers as b (process_id, channel_id) select distinct $1, u.id from unnest($2::text[]) as u(id)
  on conflict (process_id, channel_id) do update set seen_at = now()
)
select v.version, array(select p.channel_id from channel_paces p where ${IS_PACED}) as "pacedChannels",
  exists (select from slot_waiters) as "isSlotAwaited"
from settings_version v`,
  values: (processId, openBreakers) => [processId, openBreakers],
};

export interface OpenBreakers {
  channelId: string;
  /** Processes that pass over the channel now. */
  processes: number;
  since: Date;
}

/** Lists the breakers of processes that have asked within 15 seconds. */
export const listOpenBreakers: Statement<[], OpenBreakers> = {
  text: `
select b.channel_id as "channelId", count(*)::int as processes, min(b.opened_at) as since
from open_breakers b where b.seen_at > now() - interval '15 seconds' group by b.channel_id order by b.channel_id`,
  values: () => [],
};
