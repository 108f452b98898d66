import type { AttemptOutcome, ClaimedDelivery, StartedAttempt } from '@mediagate/webhooks';

/** A claimed delivery whose URL passed the rules. */
export interface Target {
  /** The delivery's id, as the slots know it. */
  id: string;
  accountId: string;
  host: string;
  /** Where the callback goes. */
  url: string;
  claim: ClaimedDelivery;
}

/** An attempt that is counted in the database and ready to go out. */
export interface Prepared extends Target {
  attempt: StartedAttempt;
  headers: Record<string, string>;
}

/** An attempt that has ended, one way or another. */
export interface Sent extends Prepared {
  outcome: AttemptOutcome;
  /** First printable characters of the answer. */
  excerpt?: string;
  durationMs: number;
}
