export { callbackOriginSettings } from './callback-origin-settings';
export { type CallbackUrl, judgeUrl, readUrl, type WebhookPolicy, withExemption } from './callback-url';
export { type Callbacks, enqueueCallback, enqueueCallbacks, MAX_TEST_CALLBACKS, openCallbacks } from './callbacks';
export { deliver, releaseWaiting } from './deliver';
export {
  type DeliveryPageOptions,
  describeDelivery,
  findDelivery,
  type ListedDelivery,
  listDeliveries,
} from './listed-delivery';
export { ownHostSettings } from './own-host-settings';
export { postCallback } from './post-callback';
export { isRedeliveredOften, REDELIVERIES_A_DAY, redeliver } from './redeliver';
export { type RedeliveryFilter, redeliveredOf, redeliverMany } from './redeliver-many';
export { type AttemptOutcome, type DeliveryVerdict, decide } from './retry-schedule';
export { reviveDeliveries } from './revive-deliveries';
export { rotateWebhookSecret } from './rotate-webhook-secret';
export { openSender, type Sender } from './sender';
export { createSendingRules, followSendingRules, type SendingRules, type WebhookSettings } from './sending-rules';
export {
  callbackHeaders,
  newWebhookSecret,
  readSigningSecrets,
  readWebhookSecret,
  verificationFault,
  type WebhookSecret,
} from './sign';
export { type TestedCallback, testCallback } from './test-callback';
