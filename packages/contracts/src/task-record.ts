import type { TaskKind } from './families';
import type { TaskId } from './ids';
import type { JsonObject } from './json';
import { type Nano, nanoToNumber } from './money';
import { isReason, type Reason } from './reasons';
import { unixSeconds } from './unix-seconds';

/** The fields of a task's row from which its record is made. */
export interface RecordedTask {
  id: TaskId;
  kind: TaskKind;
  model: string;
  operation: string;
  status: TaskStatus;
  progress: number;
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
  completedAt: Date | null;
  deadlineAt: Date;
  /** Whether the task goes on only when its caller does something; read only where callers see the task. */
  awaitsCaller?: boolean | null;
}

/** How a task's callback stands, as polls show it. The callback itself carries none: it could only be out of date. */
export interface CallbackRecord {
  url: string;
  state: string;
  attempts: number;
  last_status: number | null;
  last_error: string | null;
  /** Unix seconds. */
  next_attempt_at: number | null;
  /** The rule that the URL breaks, when `dropped`. */
  refused_because: string | null;
}

/** The task record of the specification: what polls answer (wrapped) and what callbacks carry (bare). */
export interface TaskRecord {
  id: TaskId;
  status: TaskStatus;
  progress: number;
  /** Unix seconds. */
  created: number;
  completed?: number;
  /** Whole seconds, exactly `completed - created`; on success. */
  actual_time?: number;
  /** Currency units that the caller was charged so far: 0 until the task is settled, and 0 of a failed one. */
  cost: number;
  /** `cost` in credits. */
  credits_cost: number;
  /** Currency units that are held for the task; 0 once it has ended. */
  reserved: number;
  model: string;
  kind: TaskKind;
  /** Present for a task of a test key alone. */
  test?: true;
  parent_task_id?: string;
  /** As it was submitted. */
  metadata?: JsonObject;
  /** The action by which its caller lets the task go on, while the task waits for that. */
  next_action?: NextAction & { task_id: TaskId };
  result?: JsonObject;
  usage?: JsonObject;
  error?: JsonObject;
  /** Present in polls alone, where a webhook was given. */
  callback?: CallbackRecord;
}

export interface RecordOptions {
  creditsPerUnit: number;
}

/** Pure: a terminal row always makes the same record, so a poll and a callback never tell two stories. */
export function toTaskRecord(row: RecordedTask, options: RecordOptions): TaskRecord {
  const record: TaskRecord = {
    id: row.id,
    status: row.status,
    progress: row.progress,
    created: unixSeconds(row.createdAt),
    model: row.model,
    kind: row.kind,
    ...moneyFields(row, options),
  };
  if (row.isTest) record.test = true;
  if (row.parentTaskId !== null) record.parent_task_id = row.parentTaskId;
  if (row.metadata !== null) record.metadata = row.metadata;
  const nextAction = row.awaitsCaller ? NEXT_ACTIONS[row.operation] : undefined;
  if (nextAction !== undefined) record.next_action = { ...nextAction, task_id: row.id };
  if (!isTerminal(row.status)) return record;
  if (row.completedAt !== null) {
    record.completed = unixSeconds(row.completedAt);
    if (row.status === 'completed') record.actual_time = record.completed - record.created;
  }
  if (row.status === 'completed') {
    if (row.result !== null) record.result = row.result;
    if (row.usage !== null) record.usage = recordedUsage(row.usage);
  } else if (row.error !== null) {
    record.error = publicError(row.error, row);
  }
  return record;
}

/** The three sums; what the input was is for OpenAI's clients. */
function recordedUsage({ input_tokens_details: _, ...usage }: JsonObject): JsonObject {
  return usage;
}

/** The cost of a task and the amount held for it: the reservation becomes a cost, or nothing, at one moment. */
function moneyFields(
  row: RecordedTask,
  { creditsPerUnit }: RecordOptions,
): Pick<TaskRecord, 'cost' | 'credits_cost' | 'reserved'> {
  const cost = row.costNano ?? 0n;
  return {
    cost: nanoToNumber(cost),
    credits_cost: nanoToNumber(cost * BigInt(creditsPerUnit)),
    reserved: isTerminal(row.status) ? 0 : nanoToNumber(row.reservedNano),
  };
}

/**
 * In English, without what its message is made of in other languages. Early releases stored no reason: what their rows still
 * tell is whether the task's time was up.
 */
function publicError({ template: _, ...error }: JsonObject, { completedAt, deadlineAt }: RecordedTask): JsonObject {
  if (isReason(error['reason'])) return error;
  const isLate = completedAt !== null && completedAt >= deadlineAt;
  return { ...error, reason: (isLate ? 'timeout' : 'upstream_error') satisfies Reason };
}

/** The action that a caller may take on a task that waits for the caller, by the task's operation. */
export const NEXT_ACTIONS: Readonly<Record<string, NextAction>> = {
  'imgtool.inpaint': { type: 'modal', method: 'POST', path: '/v1/imgtool/generations/modal' },
};

export interface NextAction {
  type: 'modal';
  method: 'POST';
  path: string;
}

/** `submitted` accepted and reserved; `pending` claimed by a worker or queued upstream; `processing` the upstream works. */
export const TASK_STATUSES = ['submitted', 'pending', 'processing', 'completed', 'failed'] as const;
export type TaskStatus = (typeof TASK_STATUSES)[number];

export function isTerminal(status: TaskStatus): boolean {
  return status === 'completed' || status === 'failed';
}
