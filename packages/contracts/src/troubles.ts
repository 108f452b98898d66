/** The kinds of what an operator should look at; docs/operators.md says when each is listed. */
export const TROUBLE_KINDS = [
  'books_broken',
  'storage_failing',
  'database_full',
  'clock_off',
  'redis_silent',
  'redis_evicts',
  'account_floods',
  'queue',
  'channel',
  'channel_full',
  'attempts_unknown',
  'accounts_noticed',
  'books_waiting',
  'model_ending',
] as const;
export type TroubleKind = (typeof TROUBLE_KINDS)[number];

/** The likely causes, by what was found. Each has one action and its runbook. */
export const TROUBLE_CAUSES = [
  'books',
  'our_storage',
  'our_redis',
  'our_database',
  'our_clock',
  'redis_policy',
  'one_account',
  'paused',
  'no_worker',
  'not_enqueued',
  'workers_busy',
  'our_settings',
  'closed_by_operator',
  'our_key',
  'our_limit',
  'name_gone',
  'their_outage',
  'their_delay',
  'their_files',
  'answers_lost',
  'not_known',
  'all_slots_taken',
  'outcome_unknown',
  'of_accounts',
  'month_open',
  'vendor_ends_model',
] as const;
export type TroubleCause = (typeof TROUBLE_CAUSES)[number];
