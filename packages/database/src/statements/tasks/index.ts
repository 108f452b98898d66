export { beginAttempts, beginLimitedAttempt } from './begin-attempts';
export { declineCancel, findCancelled, followCancelRequests, requestCancel } from './cancel-requests';
export { countOpenJobs, findChannelWithSlot } from './channel-slots';
export { claimLimitedTask, claimTasks, findEarlyTasks } from './claim-tasks';
export { readDueBacklogs } from './due-backlogs';
export { findDueTasks, findOverdueTasks, forgetEnqueued, markTasksEnqueued } from './due-tasks';
export { notePromotion, raiseFences, readBeginning } from './fence-epochs';
export { findChangedTasks } from './find-changed-tasks';
export { findLineage } from './find-lineage';
export { findSourceTask } from './find-source';
export { awaitSlot, forgetSlotTakers, handOverSlots, listAwaitedModels } from './hand-over-slots';
export { hastenChecks } from './hasten-checks';
export { awaitKeySlots, countOpenTasks, findAwaitedKeys, handOverKeySlots } from './key-slots';
export { returnLease, takeLease } from './leases';
export {
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
} from './list-tasks';
export { postponeTasks } from './postpone-tasks';
export { pruneTasks } from './prune-tasks';
export { listQuarantined, listUnresolved, resolveAttempt } from './quarantined-attempts';
export { readAccountBacklogs, readQueueDepths } from './queue-depths';
export { countTakenSlots, readStanding } from './read-standing';
export { readTaskInputs, readTasks } from './read-tasks';
export { recordLateOutcome } from './record-late-outcome';
export { retryTask } from './retry-task';
export { saveOperations } from './save-operations';
export {
  findTaskOfMedia,
  searchTasks,
  searchTasksByLabel,
  searchTasksByRequestId,
  searchTasksOfAccount,
} from './search-tasks';
export { beginStage, giveUpAttempt, recallTask, renewTaskLeases, returnTaskClaim, withdrawStage } from './step-writes';
export { findAbandonedTasks, renewSubmitterLeases, takeOverTasks } from './submitter-leases';
export { readTaskHistory } from './task-history';
export { takeOverUnstartedTasks } from './unstarted-tasks';
export { findWaitingTasks } from './waiting-tasks';
export { withdrawAttempts } from './withdraw-attempts';
