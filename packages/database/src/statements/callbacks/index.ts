export {
  claimDeliveries,
  endDelivery,
  readDeliveriesToAttempt,
  recordDeliveryAttempts,
  releaseDeliveries,
  startDeliveryAttempts,
} from './attempts';
export { readCallbackQueue } from './callback-queue';
export { findDueDeliveries, findEarlyDelivery } from './due-deliveries';
export { listDeliveries, listDeliveriesOfAccount, listUndelivered } from './list-deliveries';
export {
  cancelDelivery,
  countRedeliveries,
  redeliver,
  redeliverDelivered,
  redeliverOfAccount,
  redeliverOfState,
  redeliverOfTasks,
} from './redeliver';
