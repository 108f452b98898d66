import type { RequestScope } from '../request-scope';

/** How slowly bodies may come. A body is bounded in bytes, so that this bounds the time that it takes, too. */
export interface BodyPace {
  /** At least `MIN_BYTES_PER_SECOND` must arrive in each period of this length. */
  periodMs: number;
  /** Where a link is to be had that a large file is written to; absent: there are none here. */
  fileLinks?: string | undefined;
}

/** The slowest line that anybody calls from can send this much; a line of half a megabit a second can send four times as much. */
export const MIN_BYTES_PER_SECOND = 16 * 1024;

export interface WatchedBody {
  /** Bytes that have arrived. */
  received(): number;
  /** Milliseconds for which the service itself did not read: its sender could not send. */
  heldMs(): number;
  tooSlow(): void;
}

/**
 * Calls `tooSlow` once the sender has sent too little in a period. Time in which the service did not read is not counted: a period ends once
 * the sender has had all of its length, because a connection takes a while to speed up again after each pause.
 */
export function watchPace(
  scope: RequestScope,
  { periodMs }: BodyPace,
  { received, heldMs, tooSlow }: WatchedBody,
): void {
  let before = { bytes: 0, heldMs: 0 };
  let sinceMs = 0;
  function look(): void {
    if (scope.closed) return;
    sinceMs += periodMs;
    const now = { bytes: received(), heldMs: heldMs() };
    const sendingMs = sinceMs - (now.heldMs - before.heldMs);
    if (sendingMs >= periodMs) {
      if (now.bytes - before.bytes < (MIN_BYTES_PER_SECOND * sendingMs) / 1000) {
        tooSlow();
        return;
      }
      before = now;
      sinceMs = 0;
    }
    next();
  }
  // Looks after the reads that are due: if the process itself was busy for a period, the bytes wait to be read.
  const next = () => scope.after(periodMs, () => setImmediate(look));
  next();
}
