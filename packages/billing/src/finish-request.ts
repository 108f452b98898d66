import type {
  FaultCode,
  JsonObject,
  Message,
  Nano,
  TaskFailureReason,
  TaskId,
  Usage,
  VendorCost,
} from '@mediagate/contracts';
import type { SlotsOfKey } from '@mediagate/database';

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
export type SettledUnits = Readonly<Record<string, bigint>>;

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
