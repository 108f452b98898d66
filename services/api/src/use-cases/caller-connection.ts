import { GatewayError, message, type TaskFailureReason } from '@mediagate/contracts';
import type { StopReason } from '@mediagate/database';

/** The connection of a caller who waits for the answer itself. An HTTP response is one. */
export interface CallerConnection {
  readonly destroyed: boolean;
  once(event: 'close', listener: () => void): unknown;
  off(event: 'close', listener: () => void): unknown;
}

/**
 * The caller closed the connection before the answer was complete, or had not read it when the time was over; or this
 * process ended, and cut it; or the task was stopped.
 */
export type Gone = 'caller_left' | StopReason;

/** Ends the upstream's work when nobody wants it any more. */
export interface CallerWatch {
  signal: AbortSignal;
  /** Why nobody can get the answer any more; undefined: somebody still can, or has it. */
  gone(): Gone | undefined;
  /**
   * From now on the work goes on for `ms` after its caller has left or has cancelled it, if there is a slot for that: its end says
   * what was used. 0: it goes on no longer, and ends at once if the caller has left already.
   */
  linger(ms: number): void;
  /** The task is cancelled, or no longer this process's. */
  stop(why: StopReason): void;
  /** The work is over. */
  end(): void;
}

/** The caller closed the connection before the request or its answer was complete. */
export class CallerLeftError extends Error {
  constructor() {
    super('the caller closed the connection');
    this.name = 'CallerLeftError';
  }
}

/** The process ended before the answer did, and has cut the connection. */
export class CutOffError extends Error {
  constructor() {
    super('the process cut the connection at its end');
    this.name = 'CutOffError';
  }
}

/** Whoever waits for a text that somebody else cancelled may ask again. */
const RETRY_AFTER_SECONDS = 5;

export const GONE_DETAILS = {
  caller_left: 'the caller left',
  internal_error: 'this process ended',
  cancelled: 'somebody else ended it',
  cancelled_by_caller: 'its account cancelled it',
} as const;

export function reasonOf(gone: Gone): TaskFailureReason {
  return gone === 'cancelled_by_caller' ? 'cancelled' : gone;
}

export function goneError(gone: Gone): Error {
  switch (gone) {
    case 'caller_left':
      return new CallerLeftError();
    case 'internal_error':
      return new CutOffError();
    case 'cancelled':
    case 'cancelled_by_caller':
      return new GatewayError('unavailable', message(gone), {
        reason: 'cancelled',
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      });
    default:
      return gone satisfies never;
  }
}
