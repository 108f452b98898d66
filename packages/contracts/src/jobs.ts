import type { TaskId } from './ids';

/** Everything a queue ever carries: which row to look at. A lost, doubled or invented job changes nothing. */
export interface TaskJob {
  v: 1;
  taskId: TaskId;
  /** The row's fence when the task was enqueued for that step; absent: a release that did not write it enqueued the task. */
  fence?: number;
}

export interface DeliveryJob {
  v: 1;
  deliveryId: string;
  /** The row's count when the next attempt was enqueued; absent: a release that did not write it enqueued the delivery. */
  attemptsMade?: number;
  /** Further deliveries with as many attempts made; a release that does not know this field leaves them to the reconciler. */
  others?: string[];
}
