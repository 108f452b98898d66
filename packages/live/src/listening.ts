import type { TaskFailureReason } from '@mediagate/contracts';

/**
 * What an API process hears of a task that its caller waits for. The last four end the events; all but `settled` and
 * `failed` leave it to the listener to end the task, under the fence that they name: exactly one wins, whoever it is.
 */
export type LiveEvent =
  /** A worker has the task and knows that somebody listens. Comes again, with a new fence, on the way to another channel. */
  | { kind: 'claimed'; fence: number }
  /** The next part of the answer; at most `WINDOW_BYTES` are on their way before they are acknowledged. */
  | { kind: 'chunk'; fence: number; bytes: Buffer }
  /** The answer is whole, every byte was acknowledged, and the task is completed and settled. Also after `leave()`. */
  | { kind: 'settled'; fence: number }
  /** The task has failed and is refunded; what came of the answer is not all of it. */
  | {
      kind: 'failed';
      fence: number;
      reason: TaskFailureReason;
      /** Fit for the caller. */
      message: string;
      /** The field that is at fault, if one is. */
      param?: string;
    }
  /** The worker is dead, frozen, cut off, or has lost the task to somebody; or Redis is away. */
  | { kind: 'worker_lost'; fence: number }
  /** `leave()` was called while no worker had the task. */
  | { kind: 'abandoned'; fence: number };

/**
 * One task from the side of the caller who waits. Its events are read once, by one reader, and never hang: they end with
 * the task, with the worker, or with `close()`. Leaving the loop closes it.
 *
 * ```ts
 * for await (const event of listening) {
 *   if (event.kind === 'chunk') response.write(event.bytes, () => listening.acknowledge(event.bytes.length));
 * }
 * ```
 */
export interface Listening extends AsyncIterable<LiveEvent> {
  /** Of the worker that has the task, or had it last; 0: none yet. */
  readonly fence: number;
  /** So many bytes more were taken by the caller's socket. */
  acknowledge(bytes: number): void;
  /**
   * The caller hung up: no more chunks come, and the worker is told to stop. Wait for the event that ends the task; it comes
   * within `silenceMs` and the time that the database takes.
   */
  leave(): void;
  /** Hears no more, and the worker takes the caller for gone. Nothing happens on a second call. */
  close(): void;
}

/** One of an API process: a stream and a connection or two for all its callers. */
export interface LiveReceiver {
  /** False while Redis is away or as many callers wait as may: better known before money is reserved. */
  available(): boolean;
  /** To be called before the task's queue is woken; a moment after is no harm. @throws Error for a task that has a listener. */
  listen(taskId: string): Listening;
  /** Every listening ends with `worker_lost`. */
  close(): Promise<void>;
}
