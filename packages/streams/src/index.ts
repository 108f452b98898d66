export { type DirectAddress, readDirectAddress } from './direct-address';
export {
  HANDED_INPUT_MAX_CHARACTERS,
  type HandedTask,
  type HandOver,
  type OfferedChannel,
  type WaitingWorker,
  type WorkerOffer,
} from './handed-task';
export type { IncomingStream, StreamEvent, StreamReceiver } from './incoming-stream';
export { openStreamReceiver } from './open-stream-receiver';
export { openStreamSender } from './open-stream-sender';
export {
  type EarlyConnection,
  type HandedOver,
  type OutgoingStream,
  type StreamClaim,
  type StreamEnd,
  StreamEndedError,
  type StreamSender,
  type TaskFailure,
  type TaskTaker,
  WINDOW_BYTES,
} from './outgoing-stream';
export { DEFAULT_TIMING, type StreamOptions, type StreamTiming } from './timing';
