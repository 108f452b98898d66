/**
 * How long a worker and its claim wait for each other when connections are lost. The times hold together, as `lease-times.test.ts` says: a claim
 * outlives a connection that hangs and the opening of another; once it has lapsed, whoever wrote its intent can still come back.
 */

/**
 * A statement of any service waits so long for a connection to open, which a busy machine takes seconds for, or for one of the pool to become
 * free. No longer: a claim and the time that is left after it contain it, and a dead worker's tasks are in other hands within 20 s.
 */
export const CONNECT_TIMEOUT_MS = 3000;

/** A server that works ends a statement at its own limit; one that says nothing for so long after it has gone, or the way to it. */
export const SILENCE_MS = 1000;

/** A worker that lost its lease in the middle of a call has so long after it to say what became of the call: nobody else knows. */
export const LEFT_FOR_MS = 5000;

const MOST_PAUSE_MS = 500;

/** A claim is renewed each `renewEveryMs`, and `retryAfterMs` after a renewal that failed. */
export function leaseTimes(leaseMs: number): { renewEveryMs: number; retryAfterMs: number } {
  return { renewEveryMs: leaseMs / 3, retryAfterMs: Math.min(MOST_PAUSE_MS, leaseMs / 32) };
}
