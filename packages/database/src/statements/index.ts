import { auditBooks } from './billing/audit/audit-books';
import { auditRecent } from './billing/audit/audit-recent';
import { beginAudit, beginAuditByClock, claimAudit, dropAudit, endAudit, requestAudit } from './billing/audit-runs';
import { findShortage, readAccountBalance, readKeyBalance } from './billing/balances';
import { changeAccount, moveAccount } from './billing/change-account';
import { countBookings } from './billing/count-bookings';
import { expectRepetition } from './billing/expect-repetition';
import { findEarlierSubmissions } from './billing/find-earlier-submissions';
import { findEnds } from './billing/find-ends';
import { finishTasks } from './billing/finish-tasks';
import { forgetRepetition } from './billing/forget-repetition';
import { fundAccount } from './billing/fund-account';
import { findFreeAccount, listAccounts, listAccountsByName, listAccountsOfState } from './billing/list-accounts';
import { listLedger, listSeenLedger, listTaskLedger, listTaskLedgers } from './billing/list-ledger';
import { openAccount } from './billing/open-account';
import { addPriceOverride, followPrices, listPriceOverrides, listPriceOverridesOf } from './billing/price-overrides';
import { pruneIdempotencyKeys } from './billing/prune-idempotency-keys';
import { readInvoice } from './billing/read-invoice';
import { refundTask } from './billing/refund-task';
import { readSeal, sealEntries } from './billing/seal-books';
import { holdTasks, submitTasks } from './billing/submit-tasks';
import { sumMargin, sumUnits } from './billing/sum-margin';
import { sumReservations } from './billing/sum-reservations';
import { sumUsage, sumUsageOfEach } from './billing/sum-usage';
import { readWebhookSecrets, rotateWebhookSecret } from './billing/webhook-secrets';
import { CALLBACK_STATEMENTS } from './callbacks/all';
import { readChannelHistory } from './channels/channel-history';
import { takeChannelStart, throttleChannel } from './channels/channel-paces';
import { followChannels, listOpenBreakers } from './channels/follow-channels';
import { pruneDestinations, rememberChannel } from './channels/remember-channel';
import { listSecretDestinations } from './channels/secret-destinations';
import { sumChannelAttempts } from './channels/sum-channel-attempts';
import { readConnectionLimit } from './connection-limit';
import { IDENTITY_STATEMENTS } from './identity/all';
import { readIsMigrated } from './is-migrated';
import { MEDIA_STATEMENTS } from './media/all';
import { NOTICE_STATEMENTS } from './notices/all';
import { findMissingRoleSettings } from './role-settings';
import { changeSettings, readSettings } from './settings/setting-steps';
import { VENDOR_SECRET_STATEMENTS } from './settings/vendor-secrets';
import { beginAttempts, beginLimitedAttempt } from './tasks/begin-attempts';
import { declineCancel, findCancelled, followCancelRequests, requestCancel } from './tasks/cancel-requests';
import { countOpenJobs, findChannelWithSlot } from './tasks/channel-slots';
import { claimLimitedTask, claimTasks, findEarlyTasks } from './tasks/claim-tasks';
import { DISPATCH_STATEMENTS } from './tasks/dispatch';
import { readDueBacklogs } from './tasks/due-backlogs';
import { findDueTasks, findOverdueTasks, forgetEnqueued, markTasksEnqueued } from './tasks/due-tasks';
import { notePromotion, raiseFences } from './tasks/fence-epochs';
import { findChangedTasks } from './tasks/find-changed-tasks';
import { findLineage } from './tasks/find-lineage';
import { findSourceTask } from './tasks/find-source';
import { awaitSlot, forgetSlotTakers, handOverSlots, listAwaitedModels } from './tasks/hand-over-slots';
import { hastenChecks } from './tasks/hasten-checks';
import { countOpenTasks } from './tasks/key-slots';
import {
  listFailedTasks,
  listOpenTasks,
  listTasks,
  listTasksByCallback,
  listTasksByIdempotencyKey,
  listTasksByLabel,
  listTasksOfFamily,
  listTasksOfKeys,
  listTasksOfModel,
  listTasksOfParent,
} from './tasks/list-tasks';
import { postponeTasks } from './tasks/postpone-tasks';
import { pruneTasks } from './tasks/prune-tasks';
import { listQuarantined, listUnresolved, resolveAttempt } from './tasks/quarantined-attempts';
import { readAccountBacklogs, readQueueDepths } from './tasks/queue-depths';
import { countTakenSlots, readStanding } from './tasks/read-standing';
import { readTaskInputs, readTasks } from './tasks/read-tasks';
import { recordLateOutcome } from './tasks/record-late-outcome';
import { retryTask } from './tasks/retry-task';
import { saveOperations } from './tasks/save-operations';
import * as taskSearches from './tasks/search-tasks';
import {
  beginStage,
  giveUpAttempt,
  recallTask,
  renewTaskLease,
  returnTaskClaim,
  withdrawStage,
} from './tasks/step-writes';
import { findAbandonedTasks, renewSubmitterLeases, takeOverTasks } from './tasks/submitter-leases';
import { readTaskHistory } from './tasks/task-history';
import { takeOverUnstartedTasks } from './tasks/unstarted-tasks';
import { withdrawAttempts } from './tasks/withdraw-attempts';

/** Every statement, under the name of its method and of what it is prepared as. */
export const STATEMENTS = {
  addPriceOverride,
  auditBooks,
  auditRecent,
  awaitSlot,
  readSeal,
  sealEntries,
  beginAttempts,
  beginAudit,
  beginAuditByClock,
  beginLimitedAttempt,
  beginStage,
  changeAccount,
  changeSettings,
  claimAudit,
  claimLimitedTask,
  claimTasks,
  countBookings,
  countOpenJobs,
  countOpenTasks,
  declineCancel,
  dropAudit,
  endAudit,
  findAbandonedTasks,
  findCancelled,
  findChangedTasks,
  findChannelWithSlot,
  findDueTasks,
  findEnds,
  findFreeAccount,
  expectRepetition,
  forgetRepetition,
  findEarlierSubmissions,
  findEarlyTasks,
  findLineage,
  findMissingRoleSettings,
  findOverdueTasks,
  findShortage,
  findSourceTask,
  finishTasks,
  followCancelRequests,
  followChannels,
  followPrices,
  forgetEnqueued,
  forgetSlotTakers,
  fundAccount,
  giveUpAttempt,
  handOverSlots,
  hastenChecks,
  listFailedTasks,
  listLedger,
  listSeenLedger,
  listOpenBreakers,
  listOpenTasks,
  listPriceOverrides,
  listUnresolved,
  listAccounts,
  listAccountsByName,
  listAccountsOfState,
  listAwaitedModels,
  listPriceOverridesOf,
  listQuarantined,
  listSecretDestinations,
  listTaskLedger,
  listTaskLedgers,
  listTasks,
  listTasksByCallback,
  listTasksByIdempotencyKey,
  listTasksByLabel,
  listTasksOfFamily,
  listTasksOfModel,
  listTasksOfKeys,
  listTasksOfParent,
  markTasksEnqueued,
  moveAccount,
  openAccount,
  postponeTasks,
  pruneDestinations,
  pruneIdempotencyKeys,
  pruneTasks,
  readAccountBacklogs,
  readAccountBalance,
  readChannelHistory,
  readConnectionLimit,
  readDueBacklogs,
  readInvoice,
  readKeyBalance,
  readQueueDepths,
  readSettings,
  readTaskInputs,
  readTasks,
  recallTask,
  recordLateOutcome,
  refundTask,
  rememberChannel,
  renewSubmitterLeases,
  renewTaskLease,
  requestAudit,
  requestCancel,
  resolveAttempt,
  returnTaskClaim,
  retryTask,
  readWebhookSecrets,
  rotateWebhookSecret,
  saveOperations,
  ...taskSearches,
  holdTasks,
  submitTasks,
  sumChannelAttempts,
  sumMargin,
  sumReservations,
  sumUnits,
  sumUsage,
  sumUsageOfEach,
  takeChannelStart,
  takeOverTasks,
  takeOverUnstartedTasks,
  throttleChannel,
  withdrawAttempts,
  withdrawStage,
  ...IDENTITY_STATEMENTS,
  notePromotion,
  raiseFences,
  readIsMigrated,
  countTakenSlots,
  readStanding,
  readTaskHistory,
  ...DISPATCH_STATEMENTS,
  ...MEDIA_STATEMENTS,
  ...NOTICE_STATEMENTS,
  ...VENDOR_SECRET_STATEMENTS,
  ...CALLBACK_STATEMENTS,
};
