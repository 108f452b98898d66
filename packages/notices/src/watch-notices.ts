import type { NoticeKind } from '@mediagate/contracts';
import type { Database } from '@mediagate/database';
import { NOTICE_DEFAULTS } from './notice-defaults';

const WORST_FIRST: readonly NoticeKind[] = [
  'audit_violation',
  'channel_sick',
  'callbacks_failing',
  'low_balance',
  'key_quota',
];
/** Of one message: as many as a reader goes through. Slack takes 50 blocks. */
const MAX_NOTICES = 20;
/** Of them to operators about keys. */
const MAX_KEYS = 3;
/** A statement of that many takes about a second. */
const MAX_REPORTED = 20_000;
/** A condition that is over for less is not over yet. */
const SETTLE_MS = 120_000;
const KEPT_DAYS = 90;

export interface Watch {
  /** Notices that were reported now, of conditions that hold or are over. */
  reported: number;
  /** There may be more to tell. */
  more: boolean;
}

type WatchStatements = Pick<
  Database,
  | 'watchLowBalances'
  | 'watchKeyQuotas'
  | 'watchChannels'
  | 'watchCallbacks'
  | 'watchAudits'
  | 'tellNotices'
  | 'tidyNotices'
>;

/** One look at everything that notices are about. What is found is in rows, so that it may end after any of its statements. */
export async function watchNotices(database: WatchStatements): Promise<Watch> {
  const { lowBalanceNano, keyQuotaPercents, callbacksFailed, channelMinutes } = NOTICE_DEFAULTS;
  const { repeatMinutes, quietMinutes } = NOTICE_DEFAULTS;
  await database.watchLowBalances(lowBalanceNano);
  await database.watchKeyQuotas(keyQuotaPercents);
  await database.watchChannels(channelMinutes);
  await database.watchCallbacks(callbacksFailed);
  await database.watchAudits();
  const [row] = await database.tellNotices({
    repeatMinutes,
    quietMinutes,
    settleMs: SETTLE_MS,
    worstFirst: WORST_FIRST,
    maxNotices: MAX_NOTICES,
    maxKeys: MAX_KEYS,
    limit: MAX_REPORTED,
  });
  await database.tidyNotices({ quietMinutes, settleMs: SETTLE_MS, keptDays: KEPT_DAYS });
  const reported = row?.reported ?? 0;
  return { reported, more: reported === MAX_REPORTED };
}
