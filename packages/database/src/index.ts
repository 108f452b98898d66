export { BackupFileError } from './backup/backup-file';
export type { DoubtedTask, Doubts } from './backup/doubts';
export type { BackupManifest } from './backup/manifest';
export { type Restored, RestoreRefusal, restoreBackup } from './backup/restore-backup';
export { tryBackup } from './backup/try-backup';
export { writeBackup } from './backup/write-backup';
export { type BatcherOptions, createBatcher, createRowBatcher } from './batcher';
export { type ChangeOutcome, changeOnce, uncounted } from './change-once';
export { compareMigrations } from './compare-migrations';
export { isPoolerUrl } from './connections';
export { countOfDay, DayLimitError, PER_DAY } from './count-of-day';
export { type Database, type DatabaseOptions, type DatabaseUse, openDatabase } from './database';
export {
  DatabaseBusyError,
  DatabaseConflictError,
  DatabaseUnavailableError,
  isOutage,
  isStatementTimeout,
  sqlState,
} from './database-error';
export { watchDatabase } from './database-gauges';
export { databaseSettings } from './database-settings';
export type { PrismaClient } from './generated/client';
export { CONNECT_TIMEOUT_MS, LEFT_FOR_MS, leaseTimes, SILENCE_MS } from './lease-times';
export { migrate } from './migrate';
export {
  type ConnectedService,
  checkConnections,
  listServices,
  openOwnDatabase,
  warnOfRoleSettings,
} from './open-own-database';
export { type Page, readPage, type Scanned } from './page';
export { retrySafely } from './retry';
export type { AccountMove, AccountSettings, AccountSnapshot, AccountState } from './statements/billing/accounts';
export { INVARIANTS } from './statements/billing/audit/audit-books';
export { RECENT_INVARIANTS, type RecentPart } from './statements/billing/audit/audit-recent';
export { MAX_VIOLATIONS_EACH, type ViolationRow } from './statements/billing/audit/check';
export type { AuditClaim, AuditRunSnapshot } from './statements/billing/audit-runs';
export type { BalanceRow } from './statements/billing/balances';
export type { ClosedMonthRow, MonthObstacle, PruningObstacle } from './statements/billing/close-month';
export type { RecentBookings } from './statements/billing/count-bookings';
export type { FinishRow, FoundFinishRow, TaskToFinish } from './statements/billing/finish-tasks';
export type { FundingEntry } from './statements/billing/fund-account';
export type { EarlierRow, KeyedRequest, RepeatableTask } from './statements/billing/idempotency-keys';
export type { AccountRow, AccountSearch } from './statements/billing/list-accounts';
export type { LedgerRow } from './statements/billing/list-ledger';
export type { ListedPriceOverride, PriceStep, StoredPrice } from './statements/billing/price-overrides';
export type { RefundSnapshot, TaskRefund } from './statements/billing/refund-task';
export type { Seal } from './statements/billing/seal-books';
export type { SubmitOptions, SubmitRow, TaskToSubmit } from './statements/billing/submit-tasks';
export { MARGIN_GROUPS, type MarginGroup, type MarginRow, type UnitRow } from './statements/billing/sum-margin';
export type { UsageGroups, UsageQuery, UsageRow } from './statements/billing/sum-usage';
export { CLOCKS_MS } from './statements/billing/usage-days';
export type { SecretRotation } from './statements/billing/webhook-secrets';
export type {
  AttemptResult,
  AttemptStart,
  AttemptToStart,
  ClaimedDelivery,
  DeliveryClaim,
  DeliveryEnd,
  DeliveryToAttempt,
  StartedAttempt,
} from './statements/callbacks/attempts';
export type { CallbackQueue } from './statements/callbacks/callback-queue';
export type { DueDeliveriesWanted, DueDelivery, DueDeliveryRow } from './statements/callbacks/due-deliveries';
export type { DeliverySearch } from './statements/callbacks/list-deliveries';
export type { DeliveriesToRedeliver } from './statements/callbacks/redeliver';
export type { ChannelFigures, HistorySearch } from './statements/channels/channel-history';
export type { OpenBreakers } from './statements/channels/follow-channels';
export type { ChannelAttempts } from './statements/channels/sum-channel-attempts';
export type { ActionEnd, AuditEntry } from './statements/identity/audit-log';
export type { KeyChange, KeySettings, KeySnapshot } from './statements/identity/change-keys';
export type { UserPlace, UserSettings, UserToCreate } from './statements/identity/change-users';
export type { KeyQuery, KeyRow, KeySearch, ListedKeyRow } from './statements/identity/find-keys';
export type { LinkedUser } from './statements/identity/links';
export type { ActionSearch, LoggedAction } from './statements/identity/list-actions';
export { type ChangedRow, type ChangeRequest, noteOf } from './statements/identity/note';
export type { KeyUse } from './statements/identity/note-key-uses';
export type { OperatorToken } from './statements/identity/operator-tokens';
export type { HashRenewal } from './statements/identity/renew-hashes';
export type { ListedSession, SignIn } from './statements/identity/sessions';
export type { JudgedUpload } from './statements/media/complete-upload';
export type { ExpiredRow, ReleasedInputRow } from './statements/media/expire-media';
export type { FoundFingerprint, Sought } from './statements/media/fingerprints';
export type { MediaPurpose, MediaRow } from './statements/media/media-row';
export type { NewMedia, NewUpload, StoredFile, UploadOwner } from './statements/media/save-media';
export type { ListedNotice, NoticeSearch } from './statements/notices/list-notices';
export type { ClaimedMessage } from './statements/notices/notice-messages';
export type { NoticeReach, NoticeSettings, NoticeSettingsChange } from './statements/notices/notice-settings';
export type { ListedTarget, NoticeTargetChange } from './statements/notices/notice-targets';
export type { ReportedNotice } from './statements/notices/tell-notices';
export { OPERATORS } from './statements/notices/watch-for';
export type {
  SettingSection,
  SettingStep,
  SettingsToChange,
  StoredSettings,
} from './statements/settings/setting-steps';
export type { ListedSecret } from './statements/settings/vendor-secrets';
export type {
  Accepted,
  AttemptBegin,
  LateOutcome,
  StageWithdrawal,
  Withdrawal,
} from './statements/tasks/attempts';
export type { CancelRequestRow, CancelToFollow } from './statements/tasks/cancel-requests';
export type {
  AnsweredAttempt,
  AwaitedModel,
  LimitedChannel,
  OpenJobs,
  ServingChannel,
  SlotAwaited,
  SlotTaker,
} from './statements/tasks/channel-slots';
export type { ClaimedRow, EarlyTask } from './statements/tasks/claim-tasks';
export { type DueBacklog, MAX_COUNTED_DUE } from './statements/tasks/due-backlogs';
export type { DueAfter, DueOptions, DueTask } from './statements/tasks/due-tasks';
export { MAX_LINEAGE_TASKS, type Relative } from './statements/tasks/find-lineage';
export type { SourceRow } from './statements/tasks/find-source';
export type { AwaitedKey, SlotsOfKey } from './statements/tasks/key-slots';
export type { TaskFilters, TaskListing } from './statements/tasks/list-tasks';
export type { AttemptResolution, QuarantinedAttempt, Resolution } from './statements/tasks/quarantined-attempts';
export type { AccountBacklog, QueueDepth } from './statements/tasks/queue-depths';
export type { ReadRow, SeenTask, TaskInput } from './statements/tasks/read-tasks';
export type { FoundTask, TaskSearch } from './statements/tasks/search-tasks';
export type { AttemptRefusal, Postponed } from './statements/tasks/step-writes';
export type { StoppedTask, StopReason } from './statements/tasks/submitter-leases';
export type { TaskHistory } from './statements/tasks/task-history';
export type { Claim, TaskRow } from './statements/tasks/task-row';
export type { TurnPlace, WaitingTask } from './statements/tasks/waiting-tasks';
export { type Owned, sees, type Visibility } from './statements/visibility';
