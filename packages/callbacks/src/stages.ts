import type { RecordedTask } from '@mediagate/contracts';
import type { ClaimedDelivery, StartedAttempt } from '@mediagate/database';
import type { PostedCallback } from './post-callback';

/** A delivery whose URL passed the rules, claimed or only read. */
export interface Target {
  /** The delivery's id. */
  id: string;
  accountId: string;
  host: string;
  /** Where the callback goes. */
  url: string;
  delivery: ClaimedDelivery;
  /** False: as it was read, and the attempt that starts is its claim. */
  isClaimed: boolean;
  /** The task from which its first body is made; absent: the delivery has a body. */
  task?: RecordedTask;
}

/** An attempt that is counted in the database and ready to go out. */
export interface Prepared extends Target {
  attempt: StartedAttempt;
  headers: Record<string, string>;
}

/** An attempt that has ended, one way or another. */
export type Sent = Prepared & PostedCallback;
