import type { TaskId } from './ids';

/** Everything a queue ever carries: which row to look at. A lost, doubled or invented job changes nothing. */
export interface TaskJob {
  v: 1;
  taskId: TaskId;
}

export interface DeliveryJob {
  v: 1;
  deliveryId: string;
}
