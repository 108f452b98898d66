import type { Nano } from '@mediagate/contracts';
import type { Statement } from '../../statement';
import { type ChangedRow, type ChangeRequest, noteOf, UNLESS_UNCHANGED, withNote } from '../identity/note';
import { OPERATORS } from './watch-for';

/** The settings of one owner; null: not set. */
export interface NoticeSettings {
  lowBalanceNano: Nano | null;
  keyQuotaPercents: readonly number[] | null;
  callbacksFailed: number | null;
  /** A setting of operators alone. */
  channelMinutes: number | null;
  repeatMinutes: number | null;
  quietMinutes: number | null;
}

/** Settings to change; undefined ones stay as they are. */
export type NoticeSettingsChange = { [Name in keyof NoticeSettings]?: NoticeSettings[Name] | undefined };

/** The targets that the process which sends notices can reach. */
export interface NoticeReach {
  hasMail: boolean;
  /** Ports and addresses of operators' URLs, as section `webhooks` of the configuration file allows them for callers' URLs. */
  allowPorts: number[];
  allowPrivateCidrs: string[];
  allowOrigins: string[];
  /** Names and addresses of this deployment. */
  ownHosts: string[];
}

export const reportNoticeReach: Statement<[reach: NoticeReach], object> = {
  text: `
insert into notice_settings (owner, reach) values ('${OPERATORS}', $1::jsonb)
on conflict (owner) do update set reach = excluded.reach where notice_settings.reach is distinct from excluded.reach`,
  values: (reach) => [JSON.stringify(reach)],
};

/** No row: nobody has sent notices yet. */
export const readNoticeReach: Statement<[], { reach: NoticeReach }> = {
  text: `select s.reach from notice_settings s where s.owner = '${OPERATORS}' and s.reach is not null`,
  values: () => [],
};

const COLUMNS = `s.low_balance_nano as "lowBalanceNano", nullif(s.key_quota_percents, '{}') as "keyQuotaPercents",
  s.callbacks_failed as "callbacksFailed", s.channel_minutes as "channelMinutes", s.repeat_minutes as "repeatMinutes",
  s.quiet_minutes as "quietMinutes"`;

/** The owner's, and those of operators. */
export const readNoticeSettings: Statement<[owner: string], NoticeSettings & { owner: string }> = {
  text: `select s.owner, ${COLUMNS} from notice_settings s where s.owner in ($1, '${OPERATORS}')`,
  values: (owner) => [owner],
};

const SNAPSHOT = (alias: string): string => `jsonb_build_object('low_balance_nano', ${alias}.low_balance_nano::text,
    'key_quota_percents', nullif(${alias}.key_quota_percents, '{}'), 'callbacks_failed', ${alias}.callbacks_failed,
    'channel_minutes', ${alias}.channel_minutes, 'repeat_minutes', ${alias}.repeat_minutes, 'quiet_minutes', ${alias}.quiet_minutes)`;

/** A row to change: what it was before is read under its lock. */
export const admitNoticeSettings: Statement<[owner: string], object> = {
  text: 'insert into notice_settings (owner) values ($1) on conflict do nothing',
  values: (owner) => [owner],
};

/** No row: nothing was admitted. */
export const changeNoticeSettings: Statement<
  [owner: string, change: NoticeSettingsChange, request: ChangeRequest],
  ChangedRow
> = {
  text: withNote(
    `
old as materialized (select s.* from notice_settings s where s.owner = $2 for update),
new as (
  update notice_settings s
  set low_balance_nano = case when $3 then $4::bigint else s.low_balance_nano end,
    key_quota_percents = case when $5 then coalesce($6::int[], '{}') else s.key_quota_percents end,
    callbacks_failed = case when $7 then $8::int else s.callbacks_failed end,
    channel_minutes = case when $9 then $10::int else s.channel_minutes end,
    repeat_minutes = case when $11 then $12::int else s.repeat_minutes end,
    quiet_minutes = case when $13 then $14::int else s.quiet_minutes end
  from old where s.owner = old.owner
  returning s.*
),
changed as (
  select new.owner as subject, ${SNAPSHOT('old')} as before, ${SNAPSHOT('new')} as after from new join old on old.owner = new.owner
)`,
    UNLESS_UNCHANGED,
  ),
  values: (owner, change, request) => {
    const { lowBalanceNano, keyQuotaPercents, callbacksFailed, channelMinutes, repeatMinutes, quietMinutes } = change;
    const settings = [lowBalanceNano, keyQuotaPercents, callbacksFailed, channelMinutes, repeatMinutes, quietMinutes];
    const pairs = settings.flatMap((value) => [value !== undefined, value ?? null]);
    return [noteOf('notice_settings.update', request), owner, ...pairs];
  },
};
