export { openQueueViews, type QueueCounts, type QueueViews } from './queue-views';
export {
  type ConsumeOptions,
  type Consumer,
  openQueues,
  QUEUE_NAMES,
  type QueuedDelivery,
  type QueuedTask,
  type Queues,
  type QueuesOptions,
} from './queues';
