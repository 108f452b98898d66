import type { TaskId } from './ids';

/** Everything a queue ever carries: which row to look at, and what a board shows. A lost, doubled or invented job changes nothing. */
export interface TaskJob {
  v: 1;
  taskId: TaskId;
  /** The row's fence when the task was enqueued for that step; absent: a release that did not write it enqueued the task. */
  fence?: number;
  /** For the board alone, as the job's name is. */
  accountId?: string;
  attemptsMade?: number;
}

/** How a step ended, for the board alone. */
export interface StepEnd {
  outcome: string;
  /** The word of the reason for which it failed. */
  failure?: string | undefined;
}

export interface DeliveryJob {
  v: 1;
  deliveryId: string;
  /** The row's count when the next attempt was enqueued; absent: a release that did not write it enqueued the delivery. */
  attemptsMade?: number;
  /** Further deliveries with as many attempts made; a release that does not know this field leaves them to the reconciler. */
  others?: string[];
}

/** Where a worker brings the answer to one task, whose caller waits for it in an API process. The task's row keeps it. */
export interface ListenerAddress {
  url: string;
  /** Good for this one task, until audio was received. */
  token: string;
}
