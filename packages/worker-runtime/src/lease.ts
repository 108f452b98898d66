import { type Claim, type Database, leaseTimes } from '@mediagate/database';

export interface Lease {
  signal: AbortSignal;
  /** Why the signal aborted. */
  ended(): 'leased' | 'lost' | 'deadline';
  /**
   * To be asked right before a call that cannot be undone. The signal of a process that was frozen has not aborted yet, but
   * its monotonic clock shows that the lease has run out.
   */
  stillLeased(): boolean;
  /** Renews the lease now, and keeps how the task ends if this process is gone, made by `keepEnd`. */
  keep(end: string): void;
  release(): void;
}

export interface LeaseOptions {
  leaseMs: number;
  msToDeadline: number;
  /** `performance.now()` before the claim was asked for: the lease cannot have begun earlier. */
  claimAskedAt: number;
}

type Renewer = Pick<Database, 'renewTaskLease'>;

/** A timer may fire a little before its time. */
const EARLY_MS = 2;

/**
 * All leases of a process are renewed at the same two moments of each period, each at one of them, so that their renewals share
 * statements; a step shorter than half a period renews nothing. Returns what stops it.
 */
function renewEach(periodMs: number, renew: () => Promise<void>): () => void {
  let timer: NodeJS.Timeout;
  function wait(): void {
    const ms = periodMs + EARLY_MS - ((performance.now() + EARLY_MS) % (periodMs / 2));
    timer = setTimeout(() => {
      wait();
      void renew();
    }, ms);
  }
  wait();
  return () => clearTimeout(timer);
}

/**
 * Renews a claim while a step runs, and ends the step when another worker has taken over or the task's deadline has passed.
 * A database that is away does not end the step: its request may be paid for already, and the fenced statement that writes
 * the outcome decides whether it came too late. Durations are measured on the monotonic clock.
 */
export function holdLease(by: Renewer, task: Claim, { leaseMs, msToDeadline, claimAskedAt }: LeaseOptions): Lease {
  const { renewEveryMs, retryAfterMs } = leaseTimes(leaseMs);
  const controller = new AbortController();
  let state: 'leased' | 'lost' | 'deadline' = 'leased';
  let [renewedAt, isReleased, keptEnd] = [claimAskedAt, false, undefined as string | undefined];
  let nextTry: NodeJS.Timeout | undefined;

  function endAs(reason: 'lost' | 'deadline'): void {
    if (state === 'leased') state = reason;
    controller.abort(new Error(reason === 'lost' ? 'the lease was lost' : 'the deadline passed'));
  }

  async function renew(end = keptEnd): Promise<void> {
    keptEnd = end;
    try {
      const askedAt = performance.now();
      if (await by.renewTaskLease(task, leaseMs, keptEnd)) renewedAt = askedAt;
      else endAs('lost');
    } catch {
      // While the database does not answer nobody else can claim the task; afterwards the fence decides who was first.
      clearTimeout(nextTry);
      if (!isReleased) nextTry = setTimeout(() => void renew(), retryAfterMs);
    }
  }

  const stopRenewing = renewEach(renewEveryMs, renew);
  const deadline = setTimeout(() => endAs('deadline'), Math.min(Math.max(msToDeadline, 0), 2 ** 31 - 1));
  return {
    signal: controller.signal,
    ended: () => state,
    stillLeased: () => state === 'leased' && performance.now() - renewedAt <= leaseMs,
    keep: (end) => void renew(end),
    release() {
      isReleased = true;
      stopRenewing();
      clearTimeout(nextTry);
      clearTimeout(deadline);
    },
  };
}
