export { type CallbackUrl, judgeUrl, judgeWebhook, readUrl, type WebhookPolicy } from './callback-url';
export type { Callbacks } from './callbacks';
export { deliver, releaseWaiting } from './deliver';
export {
  DELIVERY_STATES,
  type DeliveryState,
  ENDED_STATES,
  type EndedState,
  findDueDeliveries,
} from './deliveries';
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
export { openSender, type Sender } from './sender';
export { createSendingRules, followSendingRules, type SendingRules, type WebhookSettings } from './sending-rules';
export { callbackHeaders, type SignInput } from './sign';
export { type ReceivedCallback, verificationFault } from './verify';
