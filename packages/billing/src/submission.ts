import type { Family, JsonObject, ListenerAddress, Message, Nano, TaskId, TaskKind } from '@mediagate/contracts';
import type { TaskToSubmit } from '@mediagate/database';

/** A checked and priced job on its way into the books. */
export interface Submission extends TaskToSubmit {
  family: Family;
  kind: TaskKind;
  model: string;
  operation: string;
  input: JsonObject;
  /** Nano-units by unit name, as they stand now; settlement uses these, never a later price. */
  rates: Readonly<Record<string, Nano>>;
  catalogueVersion: number;
  warnings: readonly Message[];
  webhook?: string;
  language?: string;
  parentTaskId?: string;
  /** The task continues its parent, which waits for that: refused if the parent has ended, or another task continued it first. */
  continuesParent?: true;
  requestId: string;
  /** The trace that it belongs to, as its row keeps it. */
  traceContext?: string;
  /** The caller's own words: kept with the task, shown to the caller and to nobody else. */
  metadata?: JsonObject;
  /** The task fails unless an attempt has begun so long after submission. */
  expiresInSeconds?: number;
  /** The task ends, by refund if need be, this long after its first attempt began, with `expiresInSeconds`; else after submission. */
  deadlineMs: number;
  /**
   * The submitter does the work at once and ends the task, and keeps a lease of so long on it meanwhile. When the lease lapses, the
   * reconciler ends the task with a refund.
   */
  runsHere?: { leaseMs: number };
  /** Where the task's worker brings the answer; absent: nobody waits for it. */
  listener?: ListenerAddress;
  /** Enough to be held where account and key have less than `reservedNano`; what they have is held then. */
  leastNano?: Nano;
  /** With `leastNano`: what is held tells nothing of the account's balance, which the caller does not see. */
  holdsByHalves?: true;
  /** The caller waits for the answer, so nothing is written while the key runs as many tasks of the family as it may. */
  waitsForSlot?: true;
  /** Nobody waits for the answer: the task awaits a slot in its row while the key runs as many tasks of the family as it may. */
  queuesForSlot?: true;
}

/** The account or key with too little money, as the statement that found it out saw it. */
export interface Shortage {
  of: 'account' | 'key';
  availableNano: Nano;
  /** Held by tasks that have not ended. */
  heldNano: Nano;
}

export type SubmitOutcome =
  /** `heldNano`: for a submission with `leastNano`. `awaitsSlot`: the task is enqueued once it has a slot of its key. */
  | { kind: 'accepted'; heldNano?: Nano; awaitsSlot?: true }
  /** The same key and body were accepted before, as this task. */
  | { kind: 'replayed'; taskId: TaskId; warnings: readonly Message[] }
  /** The same key came before with another body. */
  | { kind: 'conflict' }
  | ({ kind: 'insufficient' } & Shortage)
  /** Its parent does not wait any more. */
  | { kind: 'continued' }
  /** The key runs as many tasks of the family as it may; nothing was written. */
  | { kind: 'no_slot' }
  /** Its account takes no work. */
  | { kind: 'account_suspended' | 'account_closed' }
  /** The key was revoked or removed since it was authenticated. */
  | { kind: 'key_unknown' };
