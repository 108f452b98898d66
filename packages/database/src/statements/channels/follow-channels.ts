import type { FaultCode } from '@mediagate/contracts';
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
  /** The fault that opened it. */
  fault?: FaultCode;
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
  where (b.process_id = $1 and (b.channel_id, b.model) not in (select * from unnest($4::text[], $5::text[])))
    or b.seen_at < now() - interval '1 minute'
),
seen as (
  insert into open_breakers as b (process_id, channel_id, fault)
  select $1, u.id, u.fault from unnest($2::text[], $3::text[]) as u(id, fault)
  on conflict (process_id, channel_id) do update set seen_at = now(), fault = excluded.fault
),
seen_of_models as (
  insert into open_model_breakers as b (process_id, channel_id, model, fault)
  select $1, u.id, u.model, u.fault from unnest($4::text[], $5::text[], $6::text[]) as u(id, model, fault)
  on conflict (process_id, channel_id, model) do update set seen_at = now(), fault = excluded.fault
)
select v.version, array(select p.channel_id from channel_paces p where ${IS_PACED}) as "pacedChannels",
  exists (select from slot_waiters) as "isSlotAwaited"
from settings_version v`,
  values(processId, openBreakers) {
    const whole = openBreakers.filter(({ model }) => model === undefined);
    const ofModels = openBreakers.filter(({ model }) => model !== undefined);
    const columns = (rows: readonly ReportedBreaker[]) => [
      rows.map(({ channelId }) => channelId),
      rows.map(({ fault }) => fault ?? null),
    ];
    const [channels, faults] = columns(ofModels);
    return [processId, ...columns(whole), channels, ofModels.map(({ model }) => model), faults];
  },
};

export interface OpenBreakers {
  channelId: string;
  /** Null: the whole channel. */
  model: string | null;
  /** Processes that pass it over now. */
  processes: number;
  since: Date;
  /** The fault that the first of them met; null: a process of an earlier release has not said. */
  fault: FaultCode | null;
}

/** Open breakers of channels and, with a model, of single models. */
export const OPEN_BREAKERS = `(
  select o.channel_id, null::text as model, o.opened_at, o.seen_at, o.fault from open_breakers o
  union all select m.channel_id, m.model, m.opened_at, m.seen_at, m.fault from open_model_breakers m
)`;
/** The fault that the first of the processes met. */
export const FIRST_FAULT = '(array_agg(b.fault order by b.opened_at) filter (where b.fault is not null))[1]';

/** Lists the breakers of processes that have asked within 15 seconds. */
export const listOpenBreakers: Statement<[], OpenBreakers> = {
  text: `
select b.channel_id as "channelId", b.model, count(*)::int as processes, min(b.opened_at) as since, ${FIRST_FAULT} as fault
from ${OPEN_BREAKERS} b
where b.seen_at > now() - interval '15 seconds' group by b.channel_id, b.model order by b.channel_id, b.model`,
  values: () => [],
};
