import { auditBooks } from './billing/audit/audit-books';
import { auditRecent } from './billing/audit/audit-recent';
import { beginAudit, beginAuditByClock, claimAudit, dropAudit, endAudit, requestAudit } from './billing/audit-runs';
import { findShortage, readAccountBalance, readKeyBalance } from './billing/balances';
import { changeAccount, moveAccount } from './billing/change-account';
import { changeKey, issueKey } from './billing/change-keys';
import { countBookings } from './billing/count-bookings';
import { findEarlierSubmissions } from './billing/find-earlier-submissions';
import { findEnds } from './billing/find-ends';
import { findKeys, findListedKey, listKeys, listKeysOfAccount } from './billing/find-keys';
import { finishTasks } from './billing/finish-tasks';
import { fundAccount } from './billing/fund-account';
import { listAccounts, listAccountsByName, listAccountsOfState } from './billing/list-accounts';
import { listLedger, listTaskLedger, listTaskLedgers } from './billing/list-ledger';
import { noteKeyUses } from './billing/note-key-uses';
import { openAccount } from './billing/open-account';
import { addPriceOverride, followPrices, listPriceOverrides, listPriceOverridesOf } from './billing/price-overrides';
import { pruneIdempotencyKeys } from './billing/prune-idempotency-keys';
import { readInvoice } from './billing/read-invoice';
import { refundTask } from './billing/refund-task';
import { readSeal, sealEntries } from './billing/seal-books';
import { submitTasks } from './billing/submit-tasks';
import { sumMargin, sumUnits } from './billing/sum-margin';
import { sumReservations } from './billing/sum-reservations';
import { sumUsage, sumUsageByMetadata } from './billing/sum-usage';
import { readWebhookSecrets, rotateWebhookSecret } from './billing/webhook-secrets';
import { takeChannelStart, throttleChannel } from './channels/channel-paces';
import { followChannels, listOpenBreakers } from './channels/follow-channels';
import { rememberChannel } from './channels/remember-channel';
import { sumChannelAttempts } from './channels/sum-channel-attempts';
import { readConnectionLimit } from './connection-limit';
import { completeUpload, releaseUpload } from './media/complete-upload';
import { findExpiredMedia, markMediaDeleted, pruneMedia } from './media/expire-media';
import { findKeptObjects, findMedia, listUploads } from './media/find-media';
import { findExceededLimit, insertMedia, keepUpload } from './media/save-media';
import { NOTICE_STATEMENTS } from './notices/all';
import { OPERATOR_STATEMENTS } from './operators/all';
import { findMissingRoleSettings } from './role-settings';
import { changeSettings, readSettings } from './settings/setting-steps';
import { listVendorSecrets, removeVendorSecret, resealVendorSecret, setVendorSecret } from './settings/vendor-secrets';
import { beginAttempts, beginLimitedAttempt } from './tasks/begin-attempts';
import { declineCancel, findCancelled, followCancelRequests, requestCancel } from './tasks/cancel-requests';
import { countOpenJobs, findChannelWithSlot } from './tasks/channel-slots';
import { claimLimitedTask, claimTasks, countOpenTasks, releaseThrottledTasks, throttleTask } from './tasks/claim-tasks';
import { DISPATCH_STATEMENTS } from './tasks/dispatch';
import { readDueBacklogs } from './tasks/due-backlogs';
import { findDueTasks, findOverdueTasks, forgetEnqueued, markTasksEnqueued } from './tasks/due-tasks';
import { findChangedTasks } from './tasks/find-changed-tasks';
import { findLineage } from './tasks/find-lineage';
import { findSourceTask } from './tasks/find-source';
import {
  listFailedTasks,
  listOpenTasks,
  listTasks,
  listTasksByCallback,
  listTasksByIdempotencyKey,
  listTasksByLabel,
  listTasksOfFamily,
  listTasksOfModel,
  listTasksOfParent,
} from './tasks/list-tasks';
import { postponeTasks } from './tasks/postpone-tasks';
import { pruneTasks } from './tasks/prune-tasks';
import { listQuarantined, listUnresolved, resolveAttempt } from './tasks/quarantined-attempts';
import { readQueueDepths } from './tasks/queue-depths';
import { readTaskInputs, readTasks } from './tasks/read-tasks';
import { recordLateOutcome } from './tasks/record-late-outcome';
import { retryTask } from './tasks/retry-task';
import { saveOperations } from './tasks/save-operations';
import * as taskSearches from './tasks/search-tasks';
import { beginStage, giveUpAttempt, renewTaskLease, withdrawStage } from './tasks/step-writes';
import { findAbandonedTasks, renewSubmitterLeases, takeOverTasks } from './tasks/submitter-leases';
import { takeOverUnstartedTasks } from './tasks/unstarted-tasks';
import { USER_STATEMENTS } from './users/all';
import { recordDeliveryAttempts, startDeliveryAttempts } from './webhooks/attempts';
import { readCallbackQueue } from './webhooks/callback-queue';
import {
  cancelDelivery,
  claimDeliveries,
  endDelivery,
  findDueDeliveries,
  redeliver,
  releaseDeliveries,
} from './webhooks/deliveries';
import { listDeliveries, listDeliveriesOfAccount, listUndelivered } from './webhooks/list-deliveries';
import { redeliverDelivered, redeliverOfAccount, redeliverOfState, redeliverOfTasks } from './webhooks/redeliver-many';

/** Every statement, under the name of its method and of what it is prepared as. */
export const STATEMENTS = {
  addPriceOverride,
  auditBooks,
  auditRecent,
  readSeal,
  sealEntries,
  beginAttempts,
  beginAudit,
  beginAuditByClock,
  beginLimitedAttempt,
  beginStage,
  changeAccount,
  changeKey,
  changeSettings,
  claimAudit,
  cancelDelivery,
  claimDeliveries,
  claimLimitedTask,
  claimTasks,
  completeUpload,
  countBookings,
  countOpenJobs,
  countOpenTasks,
  declineCancel,
  dropAudit,
  endAudit,
  endDelivery,
  findAbandonedTasks,
  findCancelled,
  findChangedTasks,
  findChannelWithSlot,
  findDueDeliveries,
  findDueTasks,
  findEnds,
  findEarlierSubmissions,
  findExceededLimit,
  findExpiredMedia,
  findKeptObjects,
  findKeys,
  findLineage,
  findMedia,
  findMissingRoleSettings,
  findOverdueTasks,
  findShortage,
  findSourceTask,
  finishTasks,
  followCancelRequests,
  followChannels,
  followPrices,
  forgetEnqueued,
  fundAccount,
  giveUpAttempt,
  insertMedia,
  issueKey,
  keepUpload,
  listFailedTasks,
  listKeys,
  listLedger,
  listOpenBreakers,
  listOpenTasks,
  listPriceOverrides,
  listDeliveries,
  listDeliveriesOfAccount,
  listUndelivered,
  listUnresolved,
  listAccounts,
  listAccountsByName,
  listAccountsOfState,
  findListedKey,
  listKeysOfAccount,
  listPriceOverridesOf,
  listQuarantined,
  listTaskLedger,
  listTaskLedgers,
  listTasks,
  listTasksByCallback,
  listTasksByIdempotencyKey,
  listTasksByLabel,
  listTasksOfFamily,
  listTasksOfModel,
  listTasksOfParent,
  listUploads,
  listVendorSecrets,
  markMediaDeleted,
  markTasksEnqueued,
  moveAccount,
  openAccount,
  noteKeyUses,
  postponeTasks,
  pruneIdempotencyKeys,
  pruneMedia,
  pruneTasks,
  readAccountBalance,
  readCallbackQueue,
  readConnectionLimit,
  readDueBacklogs,
  readInvoice,
  readKeyBalance,
  readQueueDepths,
  readSettings,
  readTaskInputs,
  readTasks,
  recordDeliveryAttempts,
  recordLateOutcome,
  redeliver,
  redeliverDelivered,
  redeliverOfAccount,
  redeliverOfState,
  redeliverOfTasks,
  refundTask,
  releaseDeliveries,
  releaseThrottledTasks,
  releaseUpload,
  rememberChannel,
  removeVendorSecret,
  resealVendorSecret,
  renewSubmitterLeases,
  renewTaskLease,
  requestAudit,
  requestCancel,
  resolveAttempt,
  retryTask,
  readWebhookSecrets,
  rotateWebhookSecret,
  saveOperations,
  setVendorSecret,
  ...taskSearches,
  startDeliveryAttempts,
  submitTasks,
  sumChannelAttempts,
  sumMargin,
  sumReservations,
  sumUnits,
  sumUsage,
  sumUsageByMetadata,
  takeChannelStart,
  takeOverTasks,
  takeOverUnstartedTasks,
  throttleChannel,
  throttleTask,
  withdrawStage,
  ...OPERATOR_STATEMENTS,
  ...DISPATCH_STATEMENTS,
  ...NOTICE_STATEMENTS,
  ...USER_STATEMENTS,
};
