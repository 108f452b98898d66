import type { Fault } from './faults';
import type { JsonObject } from './json';
import type { Output, Usage } from './media';

export interface Done {
  kind: 'done';
  /** The outputs that exist; fewer than asked for is legal, none is a fault unless there are `facts`. */
  outputs: Output[];
  /** Results that are no file, or belong to all files: lyrics, descriptions, buttons. For the task's result. */
  facts?: JsonObject;
  usage: Usage;
  /** The job's cost as the vendor reports it, in its own credits: a plain decimal. */
  credits?: string;
  /** The vendor's own request ids, for support cases. */
  requestIds?: string[];
  /** For operators: a place that the configuration has wrong, although the result could be read. */
  mistake?: string;
}

export interface Refused {
  kind: 'refused';
  fault: Fault;
  requestIds?: string[];
}

/** Accepted: from here on the job is only ever checked. `operation` is all that `check` needs, kept as JSON. */
export interface Started {
  kind: 'started';
  externalId: string;
  operation: JsonObject;
  checkAfterMs: number;
  requestIds?: string[];
}

export interface Pending {
  kind: 'pending';
  /**
   * `queued` keeps the task `pending`, `running` makes it `processing`; `parked` is `queued` until the caller does something,
   * and uses no slot meanwhile.
   */
  phase: 'queued' | 'running' | 'parked';
  /** 0 to 99. */
  progress?: number;
  checkAfterMs?: number;
  /** Replaces the saved operation when the vendor's next step needs more than the last one did. */
  operation?: JsonObject;
}

/**
 * The accepted job was a first stage, and it led to no paid one: nothing is under way at the vendor, so the task may go to
 * another channel. Only where the vendor's answer leaves no doubt of that.
 */
export interface NotStarted {
  kind: 'not_started';
  fault: Fault;
  requestIds?: string[];
}

/**
 * The accepted job was a first stage, which is done. The next stage costs, so its intent is written first; then the adapter's
 * `startNext` is called with `next`. Nothing has been sent for it yet.
 */
export interface StageDone {
  kind: 'stage_done';
  next: JsonObject;
}

/** The job is stopped for good. With `usage` its caller pays for what the vendor did until then; without, for nothing. */
export interface Cancelled {
  kind: 'cancelled';
  usage?: Usage;
  /** The vendor's charge as it reports it, in its own credits: a plain decimal. */
  credits?: string;
  requestIds?: string[];
}

/** The vendor stops only jobs that it has not begun, and this one goes on, or is over. */
export interface TooLate {
  kind: 'too_late';
}

/**
 * The upstream has begun to answer, and its output goes to the waiting caller as it comes: nothing of it is kept. Only for
 * tasks of synchronous models.
 */
export interface Streaming {
  kind: 'streaming';
  /** Ends when the answer is whole; throws when it breaks off. Leaving it early, or the call's signal, ends the call. */
  body: AsyncIterable<Uint8Array>;
  /** The cost in the vendor's own credits, where the vendor reports it as the answer begins: a plain decimal. */
  credits?: string;
  requestIds?: string[];
}

export type StartOutcome = Done | Refused | Started | Streaming;
export type CheckOutcome = Done | Refused | Pending | NotStarted | StageDone;
export type CancelOutcome = Cancelled | TooLate | Refused;

/** The headers that show a channel's key to its vendor, by lower-case names. A fault: they had to be fetched and were not had. */
export type ShownKey = { ok: true; headers: Readonly<Record<string, string>> } | { ok: false; fault: Fault };
