import type { ListenerAddress, Message, TaskFailureReason } from '@mediagate/contracts';
import type { HandOver, WaitingWorker } from './handed-task';

/**
 * What an API process learns about a task whose caller waits for it. The last four kinds end the stream. After `worker_lost`
 * and `abandoned` the listener ends the task itself, under the fence that the event names; the fence lets only one end win.
 */
export type StreamEvent =
  /** A worker has claimed the task and found its listener. Comes again, with a new fence, when the task moves to another channel. */
  | { kind: 'claimed'; fence: number }
  /** The next part of the answer. At most `WINDOW_BYTES` are sent before they are acknowledged. */
  | { kind: 'chunk'; fence: number; bytes: Buffer }
  /** The answer is complete and every byte was acknowledged; the task is completed and settled. Also after `leave()`. */
  | { kind: 'settled'; fence: number }
  /** The task has failed and is refunded; the chunks received are not the whole answer. */
  | {
      kind: 'failed';
      fence: number;
      reason: TaskFailureReason;
      message: Message;
      /** The field at fault, if it is one field's. */
      param?: string;
    }
  /** The worker is dead, frozen, cut off or has lost its claim, or the Redis that the answer passes through is away. */
  | { kind: 'worker_lost'; fence: number }
  /** `leave()` was called while no worker had the task. */
  | { kind: 'abandoned'; fence: number };

/**
 * The answer to one task as the caller's process receives it. One reader reads its events, once; they always end: with the
 * task, with the worker, or with `close()`. Leaving the loop closes the stream.
 *
 * ```ts
 * for await (const event of stream) {
 *   if (event.kind === 'chunk') response.write(event.bytes, () => stream.acknowledge(event.bytes.length));
 * }
 * ```
 */
export interface IncomingStream extends AsyncIterable<StreamEvent> {
  /** Of the latest claim; 0: no worker has claimed the task yet. */
  readonly fence: number;
  /** A worker has the task, and may have asked its vendor. */
  readonly isClaimed: boolean;
  /** The caller's socket has taken so many more bytes. */
  acknowledge(bytes: number): void;
  /**
   * The caller hung up: no more chunks come, and the worker is asked to stop. The event that ends the task comes once the worker knows
   * whether the vendor begins, or has waited for that as long as it may; of a worker that is gone, within `silenceMs`.
   */
  leave(): void;
  /** Ends the stream and reports to the worker that its listener is gone. A second call does nothing. */
  close(): void;
}

/** The receiving side of an API process: a port for workers, and one Redis stream and three connections for all its callers. */
export interface StreamReceiver {
  /** False while Redis is away or the limit of waiting callers is reached. To be asked before money is reserved. */
  available(): boolean;
  /** Where the task's worker may bring the answer without asking who waits; undefined: it has to ask. */
  addressOf(taskId: string): ListenerAddress | undefined;
  /** A worker that waits for a task of the model on a connection of its own; undefined: none does. */
  takeWorker(model: string): WaitingWorker | undefined;
  /**
   * To be called before the task is enqueued, or a moment after; or with the worker that it was booked for. @throws Error for a task that has a
   * listener.
   */
  listen(taskId: string, handOver?: HandOver): IncomingStream;
  /** Every stream ends with `worker_lost`. */
  close(): Promise<void>;
}
