export {
  type Delivery,
  type DeliveryEnd,
  DeliveryEndedError,
  type LiveSender,
  type TaskFailure,
  WINDOW_BYTES,
} from './delivery';
export type { Listening, LiveEvent, LiveReceiver } from './listening';
export { openLiveReceiver } from './open-live-receiver';
export { openLiveSender } from './open-live-sender';
export { DEFAULT_TIMING, type LiveOptions, type LiveTiming } from './timing';
