import { type Family, NEXT_ACTIONS, type RecordedTask, type TaskId } from '@mediagate/contracts';
import type { CallbackProgress } from '../callbacks/callback-progress';

/** A task as it stands in the database. */
export interface TaskRow extends RecordedTask {
  accountId: string;
  keyId: string;
  family: Family;
  warnings: string[];
  webhook: string | null;
  startedAt: Date | null;
  fence: number;
  /** Its account wants it cancelled, and nobody has declined that. */
  isCancelRequested: boolean;
  /** Read by `readTask` and lists alone. */
  callback?: CallbackProgress | null;
}

/** The columns of `RecordedTask`; `t` is the tasks table. A task that has ended awaits nobody. */
export const RECORD_COLUMNS = `
  t.id, t.kind, t.model, t.operation, t.status, t.progress, t.language, t.parent_task_id as "parentTaskId", t.metadata,
  t.is_test as "isTest", t.reserved_nano as "reservedNano", t.cost_nano as "costNano", t.usage, t.result, t.error,
  t.created_at as "createdAt", t.completed_at as "completedAt", t.deadline_at as "deadlineAt"`;

/** The columns of `TaskRow`, for every statement that returns one; `t` is the tasks table. */
export const TASK_COLUMNS = `
  ${RECORD_COLUMNS}, t.account_id as "accountId", t.key_id as "keyId", t.family, t.warnings, t.webhook,
  t.started_at as "startedAt", t.fence, t.cancel_requested_at is not null as "isCancelRequested"`;

/** The fields of a task that the board shows of its job. */
export interface ShownTask extends Pick<TaskRow, 'model' | 'operation' | 'accountId'> {
  attemptsMade: number;
}

/** The columns of `ShownTask`; `t` is the tasks table. */
export const SHOWN_COLUMNS = `t.model, t.operation, t.account_id as "accountId", t.attempts_made as "attemptsMade"`;

/**
 * A task that has not ended, among those named by id. Said in a way that no partial index matches, which leaves the primary
 * key: a plan is made once, and one that goes through all open tasks, made while they were few, would cost every later
 * batch the whole backlog.
 */
export const IS_OPEN = `(t.status in ('completed', 'failed')) is not true`;

/** Changes with `keepEnd` of `billing`: a release beside this one may keep ends in another form, which `complete_tasks` does not read. */
export const KEPT_END_FORM = 2;
/** The form, time and fence of an end that a claim keeps (`end_if_abandoned`); `t` is the tasks table. */
export const KEPT_NOW = `jsonb_build_object('form', ${KEPT_END_FORM}, 'keptAt', now(), 'fence', t.fence)`;

/** A worker's hold on a task: what every fenced write names. */
export interface Claim {
  id: TaskId;
  fence: number;
}

export interface OwnedClaim extends Claim {
  accountId: string;
}

/**
 * The items of `item` whose tasks are open, each with what its task has, whose rows are locked in one order, so that batches never
 * wait for each other in a circle. Whether an item still holds its task is for the statement to say, by `present_fence`. A lock that
 * was waited for finds a row newer than the statement: what decides is read here, not from the table again.
 *
 * Items come along, so that nothing joins them again: planned for a row or two, such a join compares each of a batch with each.
 */
export const HELD_BY_ITEMS = `select i.*, t.id, t.fence as present_fence, t.attempt_id as present_attempt, t.attempt_state
  from tasks t join item i on i.task_id = t.id where ${IS_OPEN} order by t.id for update of t`;

/** Whether another task goes on with the row `t`, which only one may do until `t` has ended. */
export const IS_CONTINUED = `t.status in ('submitted', 'pending', 'processing')
  and exists (select from tasks c where c.parent_task_id = t.id and c.status <> 'failed')`;

const OPERATIONS = Object.keys(NEXT_ACTIONS).map((operation) => `'${operation}'`);

/**
 * Whether an upstream has the job of the row `t` and waits for its caller's next action, which has not been taken. Null for all other
 * operations, which cost nothing.
 */
export const AWAITS_CALLER = `case when t.operation in (${OPERATIONS.join()}) then
    t.status = 'pending' and t.attempt_state is not distinct from 'accepted' and not (${IS_CONTINUED}) end`;

export const AWAITS_CALLER_COLUMN = `${AWAITS_CALLER} as "awaitsCaller"`;
