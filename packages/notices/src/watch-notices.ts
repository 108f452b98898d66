import type { NoticeKind } from '@mediagate/contracts';
import type { Database } from '@mediagate/database';
import { NOTICE_DEFAULTS } from './notice-defaults';

const WORST_FIRST: readonly NoticeKind[] = [
  'audit_violation',
  'storage_failing',
  'books_waiting',
  'channel_sick',
  'names_unlisted',
  'callbacks_failing',
  'low_balance',
  'key_quota',
];
/** Notices in one message: as many as a reader goes through. Slack takes 50 blocks. */
const MAX_NOTICES = 20;
/** Notices about keys in one message to operators. */
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
  | 'endSickChannels'
  | 'watchNames'
  | 'watchCallbacks'
  | 'watchAudits'
  | 'watchStorage'
  | 'watchBooks'
  | 'tellNotices'
  | 'tidyNotices'
>;

/**
 * Looks once at everything that notices are about, each kind by itself: one that fails or is slow holds up no other for longer than the
 * connection lets a statement run. It stores what it finds in rows, so it may end after any of its statements. A kind whose look failed
 * is not reported: what its rows say may be outdated.
 *
 * @param closesMonths whether the reconciler closes months of the books.
 * @throws AggregateError once the others were looked for.
 */
export async function watchNotices(database: WatchStatements, closesMonths = false): Promise<Watch> {
  const { lowBalanceNano, keyQuotaPercents, callbacksFailed, channelMinutes } = NOTICE_DEFAULTS;
  const looks = {
    audit_violation: () => database.watchAudits(),
    storage_failing: () => database.watchStorage(),
    books_waiting: () => database.watchBooks(closesMonths),
    channel_sick: () => database.watchChannels(channelMinutes).then(() => database.endSickChannels(channelMinutes)),
    names_unlisted: () => database.watchNames(),
    callbacks_failing: () => database.watchCallbacks(callbacksFailed),
    low_balance: () => database.watchLowBalances(lowBalanceNano),
    key_quota: () => database.watchKeyQuotas(keyQuotaPercents),
  } satisfies Record<NoticeKind, () => Promise<unknown>>;
  const faults: unknown[] = [];
  const failed: string[] = [];
  for (const [kind, look] of Object.entries(looks)) {
    await look().catch((error) => {
      faults.push(error);
      failed.push(kind);
    });
  }
  const watched = await report(database, failed);
  if (faults.length > 0) throw new AggregateError(faults, 'some of what notices are about was not looked for');
  return watched;
}

async function report(database: WatchStatements, untoldKinds: readonly string[]): Promise<Watch> {
  const { repeatMinutes, quietMinutes } = NOTICE_DEFAULTS;
  const [row] = await database.tellNotices({
    repeatMinutes,
    quietMinutes,
    settleMs: SETTLE_MS,
    worstFirst: WORST_FIRST,
    maxNotices: MAX_NOTICES,
    maxKeys: MAX_KEYS,
    limit: MAX_REPORTED,
    untoldKinds,
  });
  await database.tidyNotices({ quietMinutes, settleMs: SETTLE_MS, keptDays: KEPT_DAYS });
  const reported = row?.reported ?? 0;
  return { reported, more: reported === MAX_REPORTED };
}
