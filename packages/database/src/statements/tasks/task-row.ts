import type { Family, JsonObject, Nano, TaskId, TaskKind, TaskStatus } from '@mediagate/contracts';
import type { CallbackProgress } from '../callbacks/callback-progress';

/** A task as it stands in the database. */
export interface TaskRow {
  id: TaskId;
  accountId: string;
  keyId: string;
  family: Family;
  kind: TaskKind;
  model: string;
  operation: string;
  status: TaskStatus;
  progress: number;
  warnings: string[];
  webhook: string | null;
  language: string | null;
  parentTaskId: string | null;
  /** The caller's own words. */
  metadata: JsonObject | null;
  /** Its key is a test key. */
  isTest: boolean;
  reservedNano: Nano;
  costNano: Nano | null;
  usage: JsonObject | null;
  result: JsonObject | null;
  error: JsonObject | null;
  createdAt: Date;
  startedAt: Date | null;
  completedAt: Date | null;
  deadlineAt: Date;
  fence: number;
  /** Its account wants it cancelled, and nobody has declined that. */
  isCancelRequested: boolean;
  /** Whether the task goes on only when its caller does something; read only where callers see the task. */
  awaitsCaller?: boolean | null;
  /** Read by `readTasks` and lists alone. */
  callback?: CallbackProgress | null;
}

/** The columns of `TaskRow`, for every statement that returns one; `t` is the tasks table. */
export const TASK_COLUMNS = `
  t.id, t.account_id as "accountId", t.key_id as "keyId", t.family, t.kind, t.model, t.operation, t.status, t.progress,
  t.warnings, t.webhook, t.language, t.parent_task_id as "parentTaskId", t.metadata, t.is_test as "isTest", t.reserved_nano as "reservedNano",
  t.cost_nano as "costNano", t.usage, t.result, t.error, t.created_at as "createdAt", t.started_at as "startedAt",
  t.completed_at as "completedAt", t.deadline_at as "deadlineAt", t.fence,
  t.cancel_requested_at is not null as "isCancelRequested"`;

/**
 * A task that has not ended, among those named by id. Said in a way that no partial index matches, which leaves the primary
 * key: a plan is made once, and one that goes through all open tasks, made while they were few, would cost every later
 * batch the whole backlog.
 */
export const IS_OPEN = `(t.status in ('completed', 'failed')) is not true`;

/** The fields from which a task's record is made, as callers get it. */
export type RecordedTask = Pick<
  TaskRow,
  | 'id'
  | 'kind'
  | 'model'
  | 'operation'
  | 'status'
  | 'progress'
  | 'language'
  | 'parentTaskId'
  | 'metadata'
  | 'isTest'
  | 'reservedNano'
  | 'costNano'
  | 'usage'
  | 'result'
  | 'error'
  | 'createdAt'
  | 'completedAt'
  | 'deadlineAt'
  | 'awaitsCaller'
>;

/** Its columns of the tasks table `t`. A task that has ended awaits nobody. */
export const RECORD_COLUMNS = `
  t.id, t.kind, t.model, t.operation, t.status, t.progress, t.language, t.parent_task_id as "parentTaskId", t.metadata,
  t.is_test as "isTest", t.reserved_nano as "reservedNano", t.cost_nano as "costNano", t.usage, t.result, t.error,
  t.created_at as "createdAt", t.completed_at as "completedAt", t.deadline_at as "deadlineAt"`;
