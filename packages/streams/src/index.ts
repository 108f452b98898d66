export { type DirectAddress, readDirectAddress } from './direct-address';
export type { IncomingStream, StreamEvent, StreamReceiver } from './incoming-stream';
export { openStreamReceiver } from './open-stream-receiver';
export { openStreamSender } from './open-stream-sender';
export {
  type EarlyConnection,
  type OutgoingStream,
  type StreamClaim,
  type StreamEnd,
  StreamEndedError,
  type StreamSender,
  type TaskFailure,
  WINDOW_BYTES,
} from './outgoing-stream';
export { DEFAULT_TIMING, type StreamOptions, type StreamTiming } from './timing';
