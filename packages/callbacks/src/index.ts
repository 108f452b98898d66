export type { AttemptStart, ClaimedDelivery, DueDelivery, DueForAttempt, StartedAttempt } from '@mediagate/database';
export { type AttemptRecord, recordAttempt, startAttempt } from './attempts';
export { type CallbackUrl, judgeUrl, judgeWebhook, readUrl, type WebhookPolicy } from './callback-url';
export { composeDeliverer } from './compose-deliverer';
export {
  claimDelivery,
  DELIVERY_STATES,
  type DeliveryState,
  ENDED_STATES,
  type EndedState,
  endDelivery,
  findDueDeliveries,
  releaseDeliveries,
} from './deliveries';
export { createDeliveryWrites, type DeliveryWrites, type Startable } from './delivery-writes';
export { describeDelivery } from './describe-delivery';
export {
  type DeliveryPage,
  type DeliveryPageOptions,
  findDelivery,
  type ListedAttempt,
  type ListedDelivery,
  listDeliveries,
} from './list-deliveries';
export { type CallbackRequest, type PostedCallback, postCallback } from './post-callback';
export {
  cancelDelivery,
  hasDelivery,
  isRedeliveredOften,
  MAX_REDELIVERED,
  REDELIVERIES_A_DAY,
  type RedeliveryFilter,
  redeliver,
  redeliveredOf,
  redeliverMany,
  redeliverOwn,
} from './redeliver';
export { type AttemptOutcome, decide, hasAttemptLeft, retryIfLostMs, type Verdict } from './retry-schedule';
export {
  newWebhookSecret,
  type RotationOutcome,
  readSigningSecrets,
  readWebhookSecret,
  rotateWebhookSecret,
  type SecretChange,
  type WebhookSecret,
} from './secrets';
export { createSendingRules, followSendingRules, type SendingRules, type WebhookSettings } from './sending-rules';
export { callbackHeaders, type SignInput } from './sign';
export { type ReceivedCallback, verificationFault } from './verify';
