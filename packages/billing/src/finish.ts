import {
  type FaultCode,
  inEnglish,
  type JsonObject,
  type Message,
  message,
  messageOf,
  type Nano,
  type TaskFailureReason,
  type TaskId,
  timeOrderedId,
  type Usage,
  type VendorCost,
} from '@mediagate/contracts';
import {
  createBatcher,
  type Database,
  type FinishRow,
  type FreedSlot,
  retrySafely,
  type TaskToFinish,
} from '@mediagate/database';
import { type EndedTask, toEnded } from './ended-task';
import { type SharedEnd, traceEnd } from './trace-end';

const MAX_BATCH_ITEMS = 64;
const MAX_WAITING_ITEMS = 5000;

/** The `error` of a failed task, as the specification shows it to callers, and what it is made of. */
export interface TaskError {
  /** In English, for who reads the row as it is. */
  message: string;
  type: 'task_failed';
  param: string;
  code: 'task_failed';
  reason: TaskFailureReason;
  /** What the message is made of in the caller's language; no caller sees it. */
  template: Message;
}

/** How the attempt under way ended; written in the statement that ends the task. */
export interface AttemptEnd {
  id: string;
  state: 'succeeded' | 'refused' | 'unknown';
  fault?: FaultCode;
  detail?: string;
  usage?: Usage;
  /** What the vendor charges; absent: not known, or nothing where it refused and nothing was used. */
  cost?: VendorCost | undefined;
  requestIds?: string[];
  /** What the vendor answered last, redacted. */
  answer?: string;
}

/**
 * A call that was not written down before it was made, because the process that made it is the one that ends the task. It
 * becomes an attempt in the statement that does.
 */
export interface CallMade {
  channelId: string;
  protocol: string;
  state: AttemptEnd['state'];
  fault?: FaultCode;
  detail?: string;
  usage?: Usage;
  /** As of an attempt. */
  cost?: VendorCost | undefined;
  requestIds?: readonly string[];
  /** By `performance.now()`. */
  beganAt: number;
  endedAt: number;
}

/** What of each unit of the price list a task is settled for, in billionths. */
type SettledUnits = Readonly<Record<string, bigint>>;

export interface Finish {
  taskId: TaskId;
  /** The claim this worker holds; `any` is for jobs that end a task without its worker. */
  fence: number | 'any';
  /** Nothing is changed once an upstream was asked for it, or may have been. */
  onlyUnpaid?: boolean;
  outcome:
    | { kind: 'completed'; costNano: Nano; units?: SettledUnits; result?: JsonObject; usage?: JsonObject }
    | { kind: 'failed'; error: TaskError };
  attempt?: AttemptEnd;
  /** In the order they were made; empty: no vendor was asked. Absent of a task that its submitter ran: nobody knows. */
  calls?: readonly CallMade[] | undefined;
}

export interface FinisherOptions {
  /** Called for each task that was ended here. */
  onEnded?: (ended: EndedTask) => void;
}

export interface Finished {
  /** False: somebody ended the task before, or the claim is old. Nothing was changed then. */
  won: boolean;
  /** The callback to enqueue, when the task has one. */
  deliveryId?: string;
  /** The slot under its key's limit that the task had: it is to be passed on. */
  freed?: FreedSlot;
  /** What was used beyond the reservation: the platform's loss, worth an alarm. */
  overrunNano: Nano;
}

/** Without a message of its own a failure has the one of its reason. `param`: the field that is to blame. */
export function taskError(
  reason: TaskFailureReason,
  { message = messageOf(reason), param = '' }: { message?: Message | undefined; param?: string | undefined } = {},
): TaskError {
  return { message: inEnglish(message), type: 'task_failed', param, code: 'task_failed', reason, template: message };
}

/** Why a task failed that was cancelled because its account asked for it. */
export const CANCELLED_BY_CALLER: Message = message('cancelled_by_caller');

/** Ends a task at its account's request, with a refund, unless an upstream was asked for it. */
export function cancelUnpaid(finish: (finish: Finish) => Promise<Finished>, taskId: TaskId): Promise<Finished> {
  const error = taskError('cancelled', { message: CANCELLED_BY_CALLER });
  return finish({ taskId, fence: 'any', onlyUnpaid: true, outcome: { kind: 'failed', error } });
}

/**
 * The one way to end a task. Exactly one caller wins, however many try, however often; for the winner the terminal state,
 * the settlement or refund and the callback's row are committed together.
 *
 * @throws DatabaseUnavailableError when the database did not answer; calling again is safe.
 */
export function createFinisher(
  database: Database,
  { onEnded }: FinisherOptions = {},
): (finish: Finish) => Promise<Finished> {
  const finishTogether = createBatcher<Finish, SharedEnd>({
    maxItems: MAX_BATCH_ITEMS,
    maxWaiting: MAX_WAITING_ITEMS,
    tally: database.tally('ends'),
    run: async (items) => {
      const results = new Map<Finish, SharedEnd>();
      for (const round of roundsOfDistinctTasks(items)) {
        const rows = await finishOnce(database, round);
        for (const item of round) {
          const row = rows.get(item.taskId);
          if (row) onEnded?.(toEnded(row, reasonOf(item)));
          results.set(item, { row, together: round.length });
        }
      }
      return items.map((item) => results.get(item) as SharedEnd);
    },
  });
  return async (finish) => {
    const beganAt = performance.now();
    const shared = await finishTogether(finish);
    traceEnd(shared, { reason: reasonOf(finish), beganAt });
    return toFinished(shared.row);
  };
}

function reasonOf({ outcome }: Finish): TaskFailureReason | undefined {
  return outcome.kind === 'failed' ? outcome.error.reason : undefined;
}

/** A statement may name a task once; a second wish for the same task waits for the first one's outcome. */
function roundsOfDistinctTasks(items: Finish[]): Finish[][] {
  const rounds: Finish[][] = [];
  const seen = new Map<TaskId, number>();
  for (const item of items) {
    const round = seen.get(item.taskId) ?? 0;
    seen.set(item.taskId, round + 1);
    rounds[round] = [...(rounds[round] ?? []), item];
  }
  return rounds;
}

/** An end whose answer was lost is found by the try that follows, which changes nothing: it is this process's own. */
async function finishOnce(database: Database, round: Finish[]): Promise<Map<string, FinishRow>> {
  let tries = 0;
  const rows = await retrySafely(() => {
    tries += 1;
    return runFinish(database, round);
  });
  const missing = tries === 1 ? [] : round.filter(({ taskId }) => !rows.has(taskId));
  if (missing.length === 0) return rows;
  const ends = new Map((await database.findEnds(missing.map(({ taskId }) => taskId))).map((end) => [end.task_id, end]));
  for (const item of missing) {
    const end = ends.get(item.taskId);
    if (end?.status === item.outcome.kind && end.reason === (reasonOf(item) ?? null)) rows.set(end.task_id, end);
  }
  return rows;
}

async function runFinish(database: Database, items: Finish[]): Promise<Map<string, FinishRow>> {
  const rows = await database.finishTasks(items.map(toFinish));
  return new Map(rows.map((row) => [row.task_id, row]));
}

export function toFinish({ taskId, fence, onlyUnpaid = false, outcome, attempt, calls }: Finish): TaskToFinish {
  const isCompleted = outcome.kind === 'completed';
  return {
    taskId,
    fence: fence === 'any' ? null : fence,
    onlyUnpaid,
    status: outcome.kind,
    costNano: isCompleted ? outcome.costNano : 0n,
    units: isCompleted ? toUnitsText(outcome.units) : null,
    result: isCompleted ? toJsonText(outcome.result) : null,
    usage: isCompleted ? toJsonText(outcome.usage) : null,
    error: isCompleted ? null : JSON.stringify(outcome.error),
    deliveryId: `whd_${timeOrderedId()}`,
    attempt: toJsonText(attempt && withCost(attempt)),
    calls: toJsonText(calls?.map(toAttempt)),
    note: null,
  };
}

function toAttempt({ beganAt, endedAt, ...call }: CallMade, index: number) {
  const now = performance.now();
  const ages = { beganMsAgo: now - beganAt, endedMsAgo: now - endedAt };
  return { ...withCost(call), ...ages, id: `att_${timeOrderedId()}`, number: index + 1 };
}

/** As the statement reads it. A vendor charges nothing for what it refused, unless it says what was used. */
function withCost<End extends Pick<AttemptEnd, 'state' | 'usage' | 'cost'>>({ cost, ...end }: End) {
  if (cost !== undefined) return { ...end, costNano: String(cost.nano), costOrigin: cost.origin };
  return end.state === 'refused' && end.usage === undefined ? { ...end, costNano: '0' } : end;
}

/** As texts: numbers of JSON would lose digits. */
function toUnitsText(units: SettledUnits | undefined): string | null {
  return units === undefined
    ? null
    : JSON.stringify(units, (_, value) => (typeof value === 'bigint' ? String(value) : value));
}

function toJsonText(value: object | undefined): string | null {
  return value === undefined ? null : JSON.stringify(value);
}

export function toFinished(row: FinishRow | undefined): Finished {
  if (!row) return { won: false, overrunNano: 0n };
  const { task_id: taskId, freed_of_key: keyId, family } = row;
  return {
    won: true,
    overrunNano: row.overrun,
    ...(row.delivery_id === null ? {} : { deliveryId: row.delivery_id }),
    ...(keyId === null ? {} : { freed: { taskId, keyId, family } }),
  };
}
