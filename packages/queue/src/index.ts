export { openQueueViews, type QueueCounts, type QueueViews } from './queue-views';
export {
  type ConsumeOptions,
  type Consumer,
  type DeliveryWake,
  openQueues,
  QUEUE_NAMES,
  type Queues,
  type QueuesOptions,
  type TaskWake,
} from './queues';
