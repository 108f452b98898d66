import {
  type FaultCode,
  type JsonObject,
  type Message,
  type Nano,
  type TaskFailureReason,
  type TaskId,
  timeOrderedId,
  type Usage,
  type VendorCost,
} from '@mediagate/contracts';
import type { FinishRow, SlotsOfKey, TaskToFinish } from '@mediagate/database';

/** The `error` of a failed task, as the specification shows it to callers, and what it is made of. */
export interface TaskError {
  /** In English, for people who read the row as it is. */
  message: string;
  type: 'task_failed';
  param: string;
  code: 'task_failed';
  reason: TaskFailureReason;
  /** The source of the message in the caller's language; no caller sees it. */
  template: Message;
}

/** How the attempt under way ended; written in the statement that ends the task. */
export interface AttemptEnd {
  id: string;
  state: 'succeeded' | 'refused' | 'unknown';
  fault?: FaultCode;
  detail?: string;
  usage?: Usage;
  /** The vendor's charge; absent: not known, or nothing where it refused and nothing was used. */
  cost?: VendorCost | undefined;
  requestIds?: string[];
  /** The vendor's last answer, redacted. */
  answer?: string;
}

/**
 * A call that was not written down before it was made, because the process that makes it also ends the task. The statement that
 * ends the task makes the call an attempt.
 */
export interface CallMade {
  channelId: string;
  protocol: string;
  state: AttemptEnd['state'];
  fault?: FaultCode;
  detail?: string;
  usage?: Usage;
  /** The same as an attempt's. */
  cost?: VendorCost | undefined;
  requestIds?: readonly string[];
  /** By `performance.now()`. */
  beganAt: number;
  endedAt: number;
}

/** The quantity of each unit of the price list that a task is settled for, in billionths. */
type SettledUnits = Readonly<Record<string, bigint>>;

export interface FinishRequest {
  taskId: TaskId;
  /** The task's account: ends of one account wait together where its row is held. */
  accountId: string;
  /** The claim this worker holds; `any` is for jobs that end a task without its worker. */
  fence: number | 'any';
  /** Nothing is changed once an upstream was asked for the task, or may have been. */
  onlyUnpaid?: boolean;
  outcome:
    | { kind: 'completed'; costNano: Nano; units?: SettledUnits; result?: JsonObject; usage?: JsonObject }
    | { kind: 'failed'; error: TaskError };
  attempt?: AttemptEnd;
  /** The calls in their order; empty: no vendor was asked. Absent for a task that its submitter ran: nobody knows. */
  calls?: readonly CallMade[] | undefined;
}

export interface FinishOutcome {
  /** False: somebody ended the task before, or the claim is old. Nothing was changed then. */
  won: boolean;
  /** The callback to enqueue, when the task has one. */
  deliveryId?: string;
  /** Where the task had a slot under its key's limit, which is to be handed over. */
  freed?: SlotsOfKey;
  /** The amount used beyond the reservation: the platform's loss, worth an alarm. */
  overrunNano: Nano;
}

/** An end in the form that the statement reads. */
export function toFinish({
  taskId,
  fence,
  onlyUnpaid = false,
  outcome,
  attempt,
  calls,
  deliveryId,
}: Omit<NamedFinish, 'accountId'>): TaskToFinish {
  return {
    taskId,
    fence: fence === 'any' ? null : fence,
    onlyUnpaid,
    deliveryId,
    status: outcome.kind,
    ...(outcome.kind === 'completed'
      ? { ...settledOf(outcome), result: outcome.result }
      : { costNano: '0', error: outcome.error }),
    attempt: attempt && withCost(attempt),
    calls: calls?.map(toAttempt),
  };
}

/** Numbers of JSON would lose digits. */
function settledOf({ costNano, units, usage }: Extract<FinishRequest['outcome'], { kind: 'completed' }>) {
  return { costNano: String(costNano), units: units && asTexts(units), usage };
}

export function newDeliveryId(): string {
  return `whd_${timeOrderedId()}`;
}

/** Its times are ages, because another process may read them. */
function toAttempt({ beganAt, endedAt, ...call }: CallMade, index: number) {
  const now = performance.now();
  const ages = { beganMsAgo: now - beganAt, endedMsAgo: now - endedAt };
  return { ...withCost(call), ...ages, id: `att_${timeOrderedId()}`, number: index + 1 };
}

/** The cost in the form that the statement reads. A vendor charges nothing for a refused call, unless it reports usage. */
function withCost<End extends Pick<AttemptEnd, 'state' | 'usage' | 'cost'>>({ cost, ...end }: End) {
  if (cost !== undefined) return { ...end, costNano: String(cost.nano), costOrigin: cost.origin };
  return end.state === 'refused' && end.usage === undefined ? { ...end, costNano: '0' } : end;
}

function asTexts(units: SettledUnits): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const unit in units) texts[unit] = String(units[unit]);
  return texts;
}

export function toFinished(row: FinishRow | undefined): FinishOutcome {
  if (!row) return { won: false, overrunNano: 0n };
  const { freed_of_key: keyId, family } = row;
  return {
    won: true,
    overrunNano: row.overrun,
    ...(row.delivery_id === null ? {} : { deliveryId: row.delivery_id }),
    ...(keyId === null ? {} : { freed: { keyId, family } }),
  };
}

/** More ends than a process has in flight; the oldest are forgotten. */
const MAX_KEPT = 10_000;

/** An end under the name that no other end has. */
export interface NamedFinish extends FinishRequest {
  /** The id of its callback, should the task have one. */
  deliveryId: string;
}

/**
 * Ends that were sent to the database and not answered. A process sends such an end again under the same name, and may find that it
 * was its own. An end without a fence is not kept, because another process may have ended the task alike.
 */
export class DoubtfulEnds {
  readonly #deliveryIds = new Map<string, string>();

  /** The id that the end was sent under before; undefined: it was not. */
  deliveryIdOf(end: FinishRequest): string | undefined {
    return this.#deliveryIds.get(nameOf(end));
  }

  add(ends: readonly NamedFinish[]): void {
    for (const end of ends) if (end.fence !== 'any') this.#deliveryIds.set(nameOf(end), end.deliveryId);
    for (const oldest of this.#deliveryIds.keys()) {
      if (this.#deliveryIds.size <= MAX_KEPT) return;
      this.#deliveryIds.delete(oldest);
    }
  }

  /** The end is not in doubt any more. True for the first of several that ask for one end at once. */
  delete(end: FinishRequest): boolean {
    return this.#deliveryIds.delete(nameOf(end));
  }
}

function nameOf({ taskId, fence }: FinishRequest): string {
  return `${taskId}:${fence}`;
}

/** How a task ends, but for its names and fence. */
export type ProvisionalEnd = Pick<FinishRequest, 'outcome' | 'calls' | 'attempt'>;

/**
 * Writes an end down for whoever ends the task once its process is gone. It is kept in the task's row (`end_if_abandoned`) under the
 * process's fence; `complete_tasks` reads it, where somebody else would refund the task.
 */
export function keepEnd({ outcome, calls, attempt }: ProvisionalEnd): string {
  return JSON.stringify({
    settled: outcome.kind === 'completed' ? settledOf(outcome) : undefined,
    calls: calls?.map(toAttempt),
    attempt: attempt && withCost(attempt),
  });
}
