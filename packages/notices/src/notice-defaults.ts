import { NANO_PER_UNIT } from '@mediagate/contracts';
import type { NoticeSettings } from '@mediagate/database';

type Defaults = { [Name in keyof NoticeSettings]: NonNullable<NoticeSettings[Name]> };

/** The settings that apply unless operators, or an account for itself, have set others. */
export const NOTICE_DEFAULTS: Defaults = {
  lowBalanceNano: NANO_PER_UNIT,
  keyQuotaPercents: [80, 95],
  callbacksFailed: 5,
  channelMinutes: 1,
  repeatMinutes: 1440,
  quietMinutes: 60,
};
