export type { AttemptBegin, Claim } from './attempt-begin';
export { type ClaimedTask, type ClaimOutcome, createTaskClaimer } from './claim-task';
export { countOpen } from './count-open';
export { countOpenJobs, type OpenJobs } from './count-open-jobs';
export { type DueBacklog, MAX_COUNTED_DUE, readDueBacklogs } from './due-backlogs';
export { type DueOptions, type DueTask, findDueTasks, findOverdueTasks, forgetWakes, markWoken } from './due-tasks';
export { findLineage, type Lineage } from './find-lineage';
export { findSource, type SourceRow } from './find-source';
export type { Postponed } from './postpone-tasks';
export { type PruneOptions, pruneTasks } from './prune-tasks';
export { createTaskReader, readTaskInputs, readTasks, type TaskInput } from './read-task';
export { type RetryOutcome, retryTask } from './retry-task';
export type { Accepted } from './save-operations';
export {
  type AttemptRefusal,
  createStepWrites,
  type LateOutcome,
  type StepWrites,
} from './step-writes';
export { findAbandonedTasks, renewSubmitterLeases, takeOverTasks } from './submitter-leases';
export { type RecordOptions, type TaskRecord, toTaskRecord } from './task-record';
export { TASK_COLUMNS, type TaskRow } from './task-row';
