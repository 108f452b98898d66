import { NANO_PER_UNIT } from '@mediagate/contracts';
import type { NoticeSettings } from '@mediagate/database';

type Defaults = { [Name in keyof NoticeSettings]: NonNullable<NoticeSettings[Name]> };

/** What counts unless operators, or an account for itself, have set something else. */
export const NOTICE_DEFAULTS: Defaults = {
  lowBalanceNano: NANO_PER_UNIT,
  keyQuotaPercents: [80, 95],
  callbacksFailed: 5,
  channelMinutes: 1,
  repeatMinutes: 1440,
  quietMinutes: 60,
};
