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
