export {
  beginAttempt,
  beginLimitedAttempt,
  beginStage,
  recordLateOutcome,
  saveOperation,
  withdrawAttempt,
  withdrawStage,
} from './attempts';
export { declineCancel, findCancelled, followCancelRequests, requestCancel } from './cancel-requests';
export {
  awaitSlot,
  countOpenJobs,
  forgetSlotTakers,
  handOverSlots,
  hasSlot,
  listAwaitedModels,
} from './channel-slots';
export { claimLimitedTask, claimTask, findEarlyTask } from './claim-tasks';
export { readDueBacklogs } from './due-backlogs';
export { findDueTasks, findOverdueTasks, forgetEnqueued, markTasksEnqueued, takeOverUnstartedTasks } from './due-tasks';
export { notePromotion, raiseFences, readBeginning } from './fence-epochs';
export { findLineage } from './find-lineage';
export { findSourceTask } from './find-source';
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
export { pruneTasks } from './prune-tasks';
export { listQuarantined, listUnresolved, resolveAttempt } from './quarantined-attempts';
export { readAccountBacklogs, readQueueDepths } from './queue-depths';
export { countTakenSlots, readStanding } from './read-standing';
export { findChangedTasks, readTask, readTaskInputs } from './read-tasks';
export { retryTask } from './retry-task';
export {
  findTaskOfMedia,
  searchTasks,
  searchTasksByLabel,
  searchTasksByRequestId,
  searchTasksOfAccount,
} from './search-tasks';
export { giveUpAttempt, postponeTask, recallTask, renewTaskLease, returnTaskClaim } from './step-writes';
export { findAbandonedTasks, renewSubmitterLeases, takeOverTasks } from './submitter-leases';
export { readTaskHistory } from './task-history';
export { findWaitingTasks } from './waiting-tasks';
