import type { Statement } from '../../statement';
import { type ChangedRow, type ChangeRequest, noteOf, withNote } from '../operators/note';
import { IS_PACED } from './channel-paces';

/** What operators have set over the configuration file. Null: as the file says. */
export interface ChannelOverride {
  channelId: string;
  state: 'draining' | 'disabled' | null;
  weight: number | null;
}

export interface FollowedChannel extends ChannelOverride {
  /** Its vendor has throttled: starts take turns. */
  isPaced: boolean;
}

/**
 * What every process asks for every few seconds, of channels that are overridden or paced, and reports by the way: the channels
 * whose breakers it has open. Nothing is written while none is. Reports of processes that have ended go after a minute.
 */
export const followChannels: Statement<[processId: string, openBreakers: readonly string[]], FollowedChannel> = {
  text: `
with gone as (
  delete from open_breakers b
  where (b.process_id = $1 and b.channel_id <> all($2::text[])) or b.seen_at < now() - interval '1 minute'
),
seen as (
  insert into open_breakers as b (process_id, channel_id) select distinct $1, u.id from unnest($2::text[]) as u(id)
  on conflict (process_id, channel_id) do update set seen_at = now()
)
select coalesce(o.channel_id, p.channel_id) as "channelId", o.state, o.weight, coalesce(${IS_PACED}, false) as "isPaced"
from channel_overrides o full join channel_paces p on p.channel_id = o.channel_id
where o.state is not null or o.weight is not null or ${IS_PACED}`,
  values: (processId, openBreakers) => [processId, openBreakers],
};

/** A row to change: what it was before is read under its lock. */
export const admitChannelOverride: Statement<[channelId: string], object> = {
  text: 'insert into channel_overrides (channel_id) values ($1) on conflict do nothing',
  values: (channelId) => [channelId],
};

/** Absent: stays as it is; null: as the file says. */
export interface ChannelChange {
  state?: ChannelOverride['state'] | undefined;
  weight?: number | null | undefined;
}

/** Without a row: nothing was admitted. */
export const overrideChannel: Statement<
  [channelId: string, change: ChannelChange, request: ChangeRequest],
  ChangedRow
> = {
  text: withNote(`
old as materialized (
  select o.channel_id, o.state, o.weight from channel_overrides o where o.channel_id = $2 for update
),
new as (
  update channel_overrides o set state = case when $3 then $4 else old.state end,
    weight = case when $5 then $6::int else old.weight end, set_by = $7, reason = $8, set_at = now()
  from old where o.channel_id = old.channel_id
  returning o.channel_id, o.state, o.weight
),
changed as (
  select new.channel_id as subject, jsonb_build_object('state', old.state, 'weight', old.weight) as before,
    jsonb_build_object('state', new.state, 'weight', new.weight) as after
  from new join old on old.channel_id = new.channel_id
)`),
  values: (channelId, { state, weight }, request) => [
    noteOf('channel.override', request),
    channelId,
    state !== undefined,
    state ?? null,
    weight !== undefined,
    weight ?? null,
    request.actor,
    request.reason ?? null,
  ],
};

export interface ListedOverride extends ChannelOverride {
  setBy: string;
  setAt: Date;
  /** Why, in the operator's words. */
  reason: string | null;
}

export const listChannelOverrides: Statement<[], ListedOverride> = {
  text: `
select o.channel_id as "channelId", o.state, o.weight, o.set_by as "setBy", o.set_at as "setAt", o.reason
from channel_overrides o where o.state is not null or o.weight is not null order by o.channel_id`,
  values: () => [],
};

export interface OpenBreakers {
  channelId: string;
  /** That pass the channel over just now. */
  processes: number;
  since: Date;
}

/** Those that were seen within three rounds of `followChannels`. */
export const listOpenBreakers: Statement<[], OpenBreakers> = {
  text: `
select b.channel_id as "channelId", count(*)::int as processes, min(b.opened_at) as since
from open_breakers b where b.seen_at > now() - interval '15 seconds' group by b.channel_id order by b.channel_id`,
  values: () => [],
};
