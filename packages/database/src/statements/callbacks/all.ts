import { readDeliveriesToAttempt, recordDeliveryAttempts, startDeliveryAttempts } from './attempts';
import { readCallbackQueue } from './callback-queue';
import {
  cancelDelivery,
  claimDeliveries,
  countRedeliveries,
  endDelivery,
  findEarlyDelivery,
  redeliver,
  releaseDeliveries,
} from './deliveries';
import { findDueDeliveries } from './due-deliveries';
import { listDeliveries, listDeliveriesOfAccount, listUndelivered } from './list-deliveries';
import { redeliverDelivered, redeliverOfAccount, redeliverOfState, redeliverOfTasks } from './redeliver-many';

export const CALLBACK_STATEMENTS = {
  cancelDelivery,
  claimDeliveries,
  countRedeliveries,
  endDelivery,
  findDueDeliveries,
  findEarlyDelivery,
  listDeliveries,
  listDeliveriesOfAccount,
  listUndelivered,
  readCallbackQueue,
  readDeliveriesToAttempt,
  recordDeliveryAttempts,
  redeliver,
  redeliverDelivered,
  redeliverOfAccount,
  redeliverOfState,
  redeliverOfTasks,
  releaseDeliveries,
  startDeliveryAttempts,
};
