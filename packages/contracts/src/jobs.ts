import type { TaskId } from './ids';

/** Everything a queue ever carries: which row to look at. A lost, doubled or invented job changes nothing. */
export interface TaskJob {
  v: 1;
  taskId: TaskId;
  /** Of the row, when it was enqueued for that step; absent: by a release that did not write it. */
  fence?: number;
}

export interface DeliveryJob {
  v: 1;
  deliveryId: string;
  /** Of the row, when it was enqueued for the attempt after those; absent: by a release that did not write it. */
  attemptsMade?: number;
  /** Further deliveries, after as many attempts; a release that does not know it leaves them to the reconciler. */
  others?: string[];
}
