import type { DirectAddress } from './direct-address';
import { DirectListener } from './direct-listener';
import type { StreamReceiver } from './incoming-stream';
import { ReceivedStream } from './received-stream';
import { ReceiverSession } from './receiver-session';
import { keepSessions } from './redis-sessions';
import { DEFAULT_TIMING, type StreamOptions } from './timing';
import { namesOf } from './wire';

/** For commands, for the questions of workers, and for the stream, which is read by blocking calls. */
const CONNECTIONS = 3;
const MAX_CALLERS = 1024;

export interface StreamReceiverOptions extends StreamOptions {
  /** Callers who may wait at once; each may have `WINDOW_BYTES` in this process. */
  maxCallers?: number;
  /** Where workers bring answers without Redis between. Absent: they do not. */
  direct?: DirectAddress | undefined;
  /** Nobody can listen at that address: answers pass through Redis. */
  onNotListening?(error: Error): void;
}

/**
 * Opens the side of the API: one Redis stream for all callers of this process. When Redis goes away, even for a moment,
 * every incoming stream that passes through it ends with `worker_lost`; later tasks begin on a new session.
 */
export function openStreamReceiver(options: StreamReceiverOptions): StreamReceiver {
  const { redisUrl, prefix, onError = () => undefined, maxCallers = MAX_CALLERS, onNotListening = onError } = options;
  const timing = { ...DEFAULT_TIMING, ...options.timing };
  const streams = new Map<string, ReceivedStream>();
  const names = namesOf(prefix);
  const { direct: address } = options;
  const direct = address && new DirectListener({ address, streams, timing, maxCallers, onError, onNotListening });
  const sessions = keepSessions({
    redisUrl,
    key: names.questions,
    onError,
    connections: CONNECTIONS,
    create: (connections, fail) =>
      new ReceiverSession({ names, connections, fail, report: onError, streams, timing, direct }),
  });
  return {
    available: () => sessions.current() !== undefined && streams.size < maxCallers,
    addressOf: (taskId) => direct?.addressOf(taskId),
    takeWorker: (model) => direct?.takeWorker(model),
    listen(taskId, handOver) {
      if (streams.has(taskId)) throw new Error(`${taskId} has a listener`);
      const stream = new ReceivedStream(taskId, {
        acknowledge: (workerId) => sessions.current()?.acknowledge(workerId, stream),
        reportGone: (workerId, kind) => sessions.current()?.reportGone(workerId, stream, kind),
        onEnd: () => streams.delete(taskId) && direct?.forget(taskId),
      });
      streams.set(taskId, stream);
      if (handOver) direct?.hand(stream, handOver);
      // Since `available` was asked, others may have come or Redis may have gone: then the stream ends at once.
      if (sessions.current() === undefined || streams.size > maxCallers) stream.loseWorker();
      return stream;
    },
    async close() {
      direct?.close();
      await sessions.close();
    },
  };
}
