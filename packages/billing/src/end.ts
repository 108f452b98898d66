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
export type SettledUnits = Readonly<Record<string, bigint>>;

export interface Finish {
  taskId: TaskId;
  /** Of the task: its ends wait together where the account's row is held. */
  accountId: string;
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

export interface Finished {
  /** False: somebody ended the task before, or the claim is old. Nothing was changed then. */
  won: boolean;
  /** The callback to enqueue, when the task has one. */
  deliveryId?: string;
  /** Where the task had a slot under its key's limit, which is to be handed over. */
  freed?: SlotsOfKey;
  /** What was used beyond the reservation: the platform's loss, worth an alarm. */
  overrunNano: Nano;
}
