export {
  claimDelivery,
  endDelivery,
  readDeliveryToAttempt,
  recordDeliveryAttempt,
  startDeliveryAttempt,
} from './attempts';
export { readCallbackQueue } from './callback-queue';
export { findDueDeliveries, findEarlyDelivery, releaseDeliveries } from './due-deliveries';
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
