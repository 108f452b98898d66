export type { Claim, ReadRow, SeenTask, SlotsOfKey, SourceRow, TaskInput, TaskRow } from '@mediagate/database';
export { type CallbackTokens, type CalledBack, createCallbackTokens } from './callback-tokens';
export { type Cancellation, cancelTask, cancelUnbegun } from './cancel-task';
export { type ClaimedTask, type ClaimOutcome, claimTask } from './claim-task';
export { failTask } from './fail-task';
export { findLineage, type Lineage } from './find-lineage';
export { CheckHastener } from './hasten-checks';
export { describeQueues, listQueues } from './list-queues';
export { listTasks, type TaskQuery } from './list-tasks';
export {
  describeQuarantined,
  listQuarantined,
  type QuarantineSearch,
  readResolution,
} from './quarantine';
export { explainRetry, type NotRetried, retryTask } from './retry-task';
export {
  describeFoundTask,
  MAX_WORDS_CHARACTERS,
  type SupportCase,
  searchTasks,
  wordsOf,
} from './search-tasks';
export { type RunTask, renewSubmitterLeases } from './submitter-leases';
export { listAttempts, readTaskInputs, toCallbackRecord } from './task-details';
export { describeTaskHistory, readTaskHistory } from './task-history';
export { type Cancelling, enqueueTask, openTasks, RETENTION_MIN_DAYS, type Tasks } from './tasks';
export { type Intent, writeIntent } from './write-intent';
