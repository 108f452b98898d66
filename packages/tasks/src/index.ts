export type { Claim, ReadRow, SeenTask, SlotsOfKey, SourceRow, TaskInput, TaskRow } from '@mediagate/database';
export { toCallbackRecord } from './callback-record';
export { type CallbackTokens, type CalledBack, createCallbackTokens } from './callback-tokens';
export { type Cancellation, cancelTask, cancelUnbegun } from './cancel-task';
export { type ClaimedTask, type ClaimOutcome, createTaskClaimer } from './claim-task';
export { failTask } from './fail-task';
export { findLineage, type Lineage } from './find-lineage';
export { CheckHastener } from './hasten-checks';
export { listAttempts } from './list-attempts';
export { describeQueues, listQueues } from './list-queues';
export { listTasks, type TaskQuery } from './list-tasks';
export {
  describeQuarantined,
  listQuarantined,
  type QuarantineSearch,
  readResolution,
} from './quarantine';
export { createTaskReader, readTaskInputs } from './read-task';
export { RETENTION_MIN_DAYS } from './retention';
export { explainRetry, type NotRetried, retryTask } from './retry-task';
export {
  describeFoundTask,
  MAX_WORDS_CHARACTERS,
  type SupportCase,
  searchTasks,
  wordsOf,
} from './search-tasks';
export { createStepWrites, type StepWrites } from './step-writes';
export { type RunTask, renewSubmitterLeases } from './submitter-leases';
export { describeTaskHistory, readTaskHistory } from './task-history';
export { type Cancelling, enqueueTask, openTasks, type Tasks } from './tasks';
