export { readDeliveriesToAttempt, recordDeliveryAttempts, startDeliveryAttempts } from './attempts';
export { readCallbackQueue } from './callback-queue';
export {
  cancelDelivery,
  claimDeliveries,
  countRedeliveries,
  endDelivery,
  findEarlyDelivery,
  redeliver,
  releaseDeliveries,
} from './deliveries';
export { findDueDeliveries } from './due-deliveries';
export { listDeliveries, listDeliveriesOfAccount, listUndelivered } from './list-deliveries';
export { redeliverDelivered, redeliverOfAccount, redeliverOfState, redeliverOfTasks } from './redeliver-many';
