export { type AttemptRecord, type AttemptStart, recordAttempt, type StartedAttempt, startAttempt } from './attempts';
export { type CallbackUrl, judgeWebhook, type WebhookPolicy } from './callback-url';
export {
  type ClaimedDelivery,
  claimDelivery,
  type DeliveryState,
  type DueDelivery,
  endDelivery,
  findDueDeliveries,
  releaseDeliveries,
} from './deliveries';
export { createDeliveryWrites, type DeliveryWrites } from './delivery-writes';
export { type ListDeliveriesOptions, type ListedAttempt, type ListedDelivery, listDeliveries } from './list-deliveries';
export { type Redelivery, redeliver } from './redeliver';
export { type AttemptOutcome, decide, hasAttemptLeft, retryIfLostMs, type Verdict } from './retry-schedule';
export { newWebhookSecret, readWebhookSecret, rotateWebhookSecret, type WebhookSecret } from './secrets';
export { type SignInput, signHeaders } from './sign';
