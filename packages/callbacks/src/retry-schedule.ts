/** How one attempt ended, as far as the schedule cares. */
export type AttemptOutcome =
  | { kind: 'answered'; status: number }
  /** No usable answer: time limit, refused, name unknown, TLS failure, connection cut. `detail` is for the operator. */
  | { kind: 'unanswered'; reason: string; detail?: string }
  /** The guarded client refused the address it would have connected to; nothing was sent. */
  | { kind: 'blocked'; reason: string; detail?: string };

/** The delivery's state after the attempt. Only `pending` has a next attempt. */
export type DeliveryVerdict =
  | { state: 'delivered' }
  | { state: 'rejected' | 'dropped' | 'exhausted'; reason: string }
  | { state: 'pending'; reason: string; retryAfterMs: number };

/**
 * The whole retry policy. `attemptsMade` counts this attempt; `delaysMs` are the waits after the end of each failed one, so
 * a receiver sees at most `delaysMs.length + 1` requests.
 *
 * 2xx is delivered, 4xx (408 and 429 too) and 3xx end it, 5xx and silence are tried again. A status outside 200 to 599 is
 * not an answer HTTP knows, so it counts as a fault of the way there and is tried again.
 */
export function decide(attemptsMade: number, outcome: AttemptOutcome, delaysMs: readonly number[]): DeliveryVerdict {
  switch (outcome.kind) {
    case 'blocked':
      return { state: 'dropped', reason: outcome.reason };
    case 'unanswered':
      return retry(attemptsMade, outcome.reason, delaysMs);
    case 'answered': {
      const hundreds = Math.floor(outcome.status / 100);
      if (hundreds === 2) return { state: 'delivered' };
      const reason = `http_${outcome.status}`;
      if (hundreds === 3 || hundreds === 4) return { state: 'rejected', reason };
      return retry(attemptsMade, reason, delaysMs);
    }
  }
}

function retry(attemptsMade: number, reason: string, delaysMs: readonly number[]): DeliveryVerdict {
  const retryAfterMs = delaysMs[attemptsMade - 1];
  return retryAfterMs === undefined ? { state: 'exhausted', reason } : { state: 'pending', reason, retryAfterMs };
}

/** Whether the schedule still has a request left: false once the last one was started, even if its outcome was lost. */
export function hasAttemptLeft(attemptsMade: number, delaysMs: readonly number[]): boolean {
  return attemptsMade <= delaysMs.length;
}

/**
 * When an attempt that now starts is to be repeated should its outcome be lost with the process: it counts as made, and as
 * ended at its time limit. The last attempt has no delay; what is due then is only to say that it is over.
 */
export function retryIfLostMs(attemptsMadeBefore: number, timeoutMs: number, delaysMs: readonly number[]): number {
  return timeoutMs + (delaysMs[attemptsMadeBefore] ?? 0);
}
