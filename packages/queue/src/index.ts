export type { ConsumeOptions, Consumer } from './consumer';
export { firstDeliveryJobs, type QueuedDelivery, type QueuedStart, type QueuedTask } from './jobs';
export { openOwnQueues } from './open-own-queues';
export type { QueueCounts } from './queue-counts';
export { QUEUE_NAMES } from './queue-names';
export { openQueueViews, type QueueViews } from './queue-views';
export { openQueues, type Queues, type QueuesOptions } from './queues';
export type { StartLine, WaitingJobs } from './start-lines';
