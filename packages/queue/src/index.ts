export type { ConsumeOptions, Consumer } from './consumer';
export { openQueueViews, type QueueCounts, type QueueViews } from './queue-views';
export {
  openQueues,
  QUEUE_NAMES,
  type QueuedDelivery,
  type QueuedStart,
  type QueuedTask,
  type Queues,
  type QueuesOptions,
} from './queues';
export type { StartLine, WaitingJobs } from './start-lines';
