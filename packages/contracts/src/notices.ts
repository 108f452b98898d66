/**
 * - `low_balance`: an account has less than its limit
 * - `key_quota`: a key has used so many percent of its quota
 * - `channel_sick`: a channel's breaker is open
 * - `names_unlisted`: a channel's vendor does not list what the channel asks it for
 * - `callbacks_failing`: callbacks of an account are not delivered
 * - `audit_violation`: the books are not as they should be
 * - `storage_failing`: processes cannot keep results
 * - `books_waiting`: a month of the books cannot be closed
 */
export const NOTICE_KINDS = [
  'low_balance',
  'key_quota',
  'channel_sick',
  'names_unlisted',
  'callbacks_failing',
  'audit_violation',
  'storage_failing',
  'books_waiting',
] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

/** The kinds that are reported to holders of an account. */
export const ACCOUNT_NOTICE_KINDS = ['low_balance', 'key_quota', 'callbacks_failing'] as const satisfies NoticeKind[];

export const NOTICE_MEDIA = ['webhook', 'email', 'slack'] as const;
export type NoticeMedium = (typeof NOTICE_MEDIA)[number];
