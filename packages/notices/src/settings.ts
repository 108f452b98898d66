import { type JsonObject, nanoToNumber } from '@mediagate/contracts';
import {
  type ChangeOutcome,
  type ChangeRequest,
  changeOnce,
  type Database,
  type NoticeSettings,
  type NoticeSettingsChange,
  OPERATORS,
} from '@mediagate/database';
import { NOTICE_DEFAULTS } from './notice-defaults';

export interface NoticeSettingsInForce {
  owner: string;
  /** The owner's own; else those of operators; else the defaults. */
  inForce: typeof NOTICE_DEFAULTS;
  own: NoticeSettings;
}

const NOTHING_SET: NoticeSettings = {
  lowBalanceNano: null,
  keyQuotaPercents: null,
  callbacksFailed: null,
  channelMinutes: null,
  repeatMinutes: null,
  quietMinutes: null,
};

/** @param owner `OPERATORS`, or the id of an account. */
export async function readSettings(database: Database, owner: string): Promise<NoticeSettingsInForce> {
  const rows = await database.readNoticeSettings(owner);
  const of = (wanted: string): NoticeSettings => rows.find((row) => row.owner === wanted) ?? NOTHING_SET;
  const [own, operators] = [of(owner), of(OPERATORS)];
  return {
    owner,
    own,
    inForce: {
      lowBalanceNano: own.lowBalanceNano ?? operators.lowBalanceNano ?? NOTICE_DEFAULTS.lowBalanceNano,
      keyQuotaPercents: own.keyQuotaPercents ?? operators.keyQuotaPercents ?? NOTICE_DEFAULTS.keyQuotaPercents,
      callbacksFailed: own.callbacksFailed ?? operators.callbacksFailed ?? NOTICE_DEFAULTS.callbacksFailed,
      channelMinutes: operators.channelMinutes ?? NOTICE_DEFAULTS.channelMinutes,
      repeatMinutes: own.repeatMinutes ?? operators.repeatMinutes ?? NOTICE_DEFAULTS.repeatMinutes,
      quietMinutes: own.quietMinutes ?? operators.quietMinutes ?? NOTICE_DEFAULTS.quietMinutes,
    },
  };
}

export function changeSettings(
  database: Database,
  { owner, change }: { owner: string; change: NoticeSettingsChange },
  request: ChangeRequest,
): Promise<ChangeOutcome> {
  return changeOnce(database, request, async () => {
    await database.admitNoticeSettings(owner);
    return database.changeNoticeSettings(owner, change, request);
  });
}

/** The settings that apply to the owner; `set` names those that the owner has set. */
export function describeSettings({ owner, inForce, own }: NoticeSettingsInForce): JsonObject {
  const named = (settings: NoticeSettings) => ({
    low_balance: settings.lowBalanceNano === null ? null : nanoToNumber(settings.lowBalanceNano),
    key_quota_percents: settings.keyQuotaPercents === null ? null : [...settings.keyQuotaPercents],
    callbacks_failed: settings.callbacksFailed,
    ...(owner === OPERATORS ? { channel_minutes: settings.channelMinutes } : {}),
    repeat_minutes: settings.repeatMinutes,
    quiet_minutes: settings.quietMinutes,
  });
  const isSet = Object.entries(named(own)).filter(([, value]) => value !== null);
  return { ...named(inForce), set: isSet.map(([name]) => name) };
}
