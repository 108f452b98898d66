export type { ConsumeOptions, Consumer } from './consumer';
export type { QueuedDelivery, QueuedStart, QueuedTask } from './jobs';
export type { QueueCounts } from './queue-counts';
export { QUEUE_NAMES } from './queue-names';
export { openQueueViews, type QueueViews } from './queue-views';
export { openQueues, type Queues, type QueuesOptions } from './queues';
export type { StartLine, WaitingJobs } from './start-lines';
export { warnOfRedis } from './warn-of-redis';
