export type { ConsumeOptions, Consumer } from './consumer';
export type { QueuedDelivery, QueuedStart, QueuedTask } from './jobs';
export type { QueueCounts } from './queue-counts';
export { openQueueViews, type QueueViews } from './queue-views';
export {
  openQueues,
  QUEUE_NAMES,
  type Queues,
  type QueuesOptions,
} from './queues';
export type { StartLine, WaitingJobs } from './start-lines';
