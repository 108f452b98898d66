export {
  type Accepted,
  type AttemptBegin,
  type AttemptRefusal,
  type Claim,
  type DueBacklog,
  type DueOptions,
  type DueTask,
  type LateOutcome,
  MAX_COUNTED_DUE,
  type OpenJobs,
  type Postponed,
  type SourceRow,
  type TaskInput,
  type TaskRow,
} from '@mediagate/database';
export { type CallbackRecord, toCallbackRecord } from './callback-record';
export { type ClaimedTask, type ClaimOutcome, createTaskClaimer } from './claim-task';
export { countOpen } from './count-open';
export { findDueTasks, findOverdueTasks, forgetEnqueued, markEnqueued } from './due-tasks';
export { findLineage, type Lineage } from './find-lineage';
export { findSource } from './find-source';
export { type PruneOptions, pruneTasks } from './prune-tasks';
export { createTaskReader, readTaskInputs, readTasks } from './read-task';
export { type RetryOutcome, retryTask } from './retry-task';
export { createStepWrites, type StepWrites } from './step-writes';
export { findAbandonedTasks, renewSubmitterLeases, takeOverTasks } from './submitter-leases';
export { type RecordOptions, type TaskRecord, toTaskRecord } from './task-record';
